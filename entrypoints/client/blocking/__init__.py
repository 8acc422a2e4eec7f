"""The blocking client. `make client` generates it, but for its connections (D-531)."""
