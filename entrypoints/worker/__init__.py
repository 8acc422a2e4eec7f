"""The worker: does due work."""
