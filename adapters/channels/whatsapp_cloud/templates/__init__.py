"""Templates at Meta: submitted, found by their name, and looked up (C-99)."""

from .looking_up import looked_up
from .submitting import Submissions

__all__ = ["Submissions", "looked_up"]
