"""Measures Watchword against a minimal server; see `python -m benchmarks --help`."""
