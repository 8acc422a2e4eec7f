"""The opt-in and opt-out lists of accounts, and the consents that planning reads."""
