"""Short links: made with the messages that carry them, followed by whoever has one (C-29)."""
