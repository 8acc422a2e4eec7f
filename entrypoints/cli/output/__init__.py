"""Prints and writes the results of commands."""
