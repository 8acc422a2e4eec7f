"""The event store on `eventsourcing`'s recorders; the only package that imports the library."""
