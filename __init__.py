"""One-time codes, messages and fallback, on record."""
