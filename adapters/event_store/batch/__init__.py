"""Batches of appends: gathered, settled by pure code, and passed to a writer."""
