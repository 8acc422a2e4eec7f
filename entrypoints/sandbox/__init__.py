"""What only a sandbox has: a clock that moves, and phones that answer (C-39)."""
