"""Short links: follow them, and disable them; sends make them (C-29)."""
