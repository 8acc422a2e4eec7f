"""Test destinations: fixed codes for reviewers and automated tests (C-79)."""
