"""Accounts: their settings, and the authentication and admission of their calls."""
