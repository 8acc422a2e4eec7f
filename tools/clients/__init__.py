"""Checks that generated clients of the interface are complete and work (D-175)."""
