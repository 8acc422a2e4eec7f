"""DLT: the ids and texts that India wants registered for SMS (C-30)."""
