"""Sends: the request of each message, its one call, and the outcome that the answer means (C-63, C-68)."""
