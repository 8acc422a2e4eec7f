"""The legacy platform: its users, and the ratings of chats (SPEC 4 E)."""
