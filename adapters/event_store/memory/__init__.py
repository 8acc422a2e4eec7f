"""The event store in memory."""
