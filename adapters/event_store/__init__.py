"""The event store on the recorders of `eventsourcing`; only this package imports that library."""
