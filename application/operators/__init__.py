"""Operators: the tokens with which people look at the service and run it (C-84)."""
