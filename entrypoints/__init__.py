"""Entrypoints: settings, composition, and the HTTP endpoint, command line, worker and embedding API."""
