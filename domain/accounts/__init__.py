"""Accounts, and what operators set up for them: keys, limits, channel accounts, fallbacks."""
