"""Send the next step of a fallback run when the attempt before it was not delivered in time."""
