"""The event store in one PostgreSQL database."""
