"""Measures Watchword against a server that does nothing else; see `python -m benchmarks --help`."""
