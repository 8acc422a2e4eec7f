"""Use cases, and the ports that they need."""
