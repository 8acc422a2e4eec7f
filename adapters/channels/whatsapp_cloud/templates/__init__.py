"""Templates at Meta: submitted, found by their name, and looked up (C-99)."""

from .looking_up import looked_up
from .submitting import submitted

__all__ = ["looked_up", "submitted"]
