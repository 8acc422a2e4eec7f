"""The forms of channel accounts, drawn from the settings that providers declare (C-63)."""
