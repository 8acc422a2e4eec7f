"""Reads and writes that all SQL stores share."""
