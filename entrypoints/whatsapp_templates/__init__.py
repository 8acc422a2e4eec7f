"""Reads and writes WhatsApp templates for HTTP, embedders and the command line."""
