"""The sealed log: a Merkle tree over the events, and what is proved with it."""
