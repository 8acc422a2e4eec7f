"""The console: pages for operators and auditors (C-85)."""
