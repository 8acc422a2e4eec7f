"""Clients that generators make of the described interface: whole, and working (D-175)."""
