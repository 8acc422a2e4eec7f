"""Hosted media: received, kept with what the log says of them, fetched by whoever has an id (C-25)."""
