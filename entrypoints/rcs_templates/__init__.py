"""Reads and writes RCS templates for HTTP, embedders and the command line."""
