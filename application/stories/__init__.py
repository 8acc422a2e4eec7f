"""The stories of PINs and messages: their events in order, and the state after each (C-85)."""
