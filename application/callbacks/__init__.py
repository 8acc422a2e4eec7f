"""Callbacks: notify an account's own servers of events (C-33, C-53)."""
