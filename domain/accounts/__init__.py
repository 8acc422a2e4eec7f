"""Accounts and their settings: API keys, limits, channel accounts and fallbacks."""
