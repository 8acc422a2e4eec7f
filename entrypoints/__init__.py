"""Settings, wiring, and the ways in: HTTP, command line and worker."""
