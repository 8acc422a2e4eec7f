"""Runs a service until it is stopped, in one process or several."""
