"""The port for time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

# The store's setting with the seconds by which a sandbox's clock was moved.
CLOCK_OFFSET = "sandbox_clock_offset"


class Clock(Protocol):
    """
    Returns the time, in UTC with a time zone.

    Everything with an expiry uses `now`, which the sandbox can move. Leases, time-outs and the recovery
    of orphaned dispatches use `real` (C-39), which never moves.
    """

    def now(self) -> datetime:
        """Return the service's time."""
        ...

    def real(self) -> datetime:
        """Return the machine's time."""
        ...
