"""Send the next step of a fallback run, when the one before was not delivered in time."""
