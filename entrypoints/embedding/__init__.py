"""The embedding API: the object that `watchword.open(...)` yields (C-44, C-65)."""
