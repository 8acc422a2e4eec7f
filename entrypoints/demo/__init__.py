"""The demo that a sandbox starts with: an account, a key, templates and fallbacks (C-4)."""
