"""The service without HTTP: what `watchword.open(...)` gives (C-44, C-65)."""
