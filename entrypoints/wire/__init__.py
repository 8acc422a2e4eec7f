"""Converts between plain data and typed values: reads requests strictly, and writes records."""
