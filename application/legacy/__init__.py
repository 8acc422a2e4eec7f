"""The legacy WhatsApp platform: users, logins, tokens, ratings (SPEC 4 E)."""
