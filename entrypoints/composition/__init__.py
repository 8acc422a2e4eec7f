"""The composition root: adapters, the event store and the use cases, put together to a service."""
