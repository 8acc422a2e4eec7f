"""Typed requests of the messaging endpoints, for HTTP and embedded calls."""
