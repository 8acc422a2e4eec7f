"""Channel providers, one technology per module."""
