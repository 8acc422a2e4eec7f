"""Check before any append whether a send can be made, and choose its channel accounts."""
