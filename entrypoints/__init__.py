"""Entrypoints: settings, wiring, and the HTTP endpoint, command line, worker and embedding API."""
