"""The service without HTTP: the object that `watchword.open(...)` yields (C-44, C-65)."""
