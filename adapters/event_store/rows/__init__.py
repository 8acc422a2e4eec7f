"""The read models: which tables there are, how rows become columns, and how lists are asked for."""
