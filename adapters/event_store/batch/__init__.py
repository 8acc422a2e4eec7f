"""Batches of appends: gathered, settled in pure code, and passed to a writer."""
