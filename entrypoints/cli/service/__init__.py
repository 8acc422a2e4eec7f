"""Finds the service that a command talks to, and asks it."""
