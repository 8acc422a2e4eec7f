"""Sends by channel providers to counterparts on loopback."""
