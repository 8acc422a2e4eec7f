"""Hand messages to their providers, and record how the dispatches went."""
