"""Prints and writes what commands found."""
