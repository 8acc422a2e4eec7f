"""Callbacks: an account's own servers are notified of events (C-33, C-53)."""
