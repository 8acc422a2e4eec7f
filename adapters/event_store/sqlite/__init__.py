"""The event store in one SQLite file."""
