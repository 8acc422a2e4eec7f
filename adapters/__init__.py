"""One technology per module, each behind a port."""
