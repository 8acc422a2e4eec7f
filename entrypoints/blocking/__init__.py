"""A service for programs without an event loop: the embedding calls, each of which waits (D-543)."""
