"""The legacy platform: its users, and what end users thought of a chat (SPEC 4 E)."""
