"""Keeps what ended for as long as its account wants, and then takes it out of the store (C-75)."""
