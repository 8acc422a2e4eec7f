"""What people cost: erasures, sends to people who are new or known, and bytes on disk (C-73, C-74)."""
