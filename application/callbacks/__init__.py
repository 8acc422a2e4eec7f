"""Callbacks: an account's own servers are told what happens (C-33, C-53)."""
