"""The read models: what lists and searches show, computed from the state of each aggregate."""
