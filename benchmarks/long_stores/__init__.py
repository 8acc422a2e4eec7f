"""Stores with many PINs and people: how they are filled, what they cost, and how they shrink."""
