"""The client of the management API, and the service that it talks to."""
