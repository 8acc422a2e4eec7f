"""DLT: the ids and texts that must be registered in India for SMS (C-30)."""
