"""The port for time."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

# The store's setting that has the seconds by which a sandbox's clock was moved on.
CLOCK_OFFSET = "sandbox_clock_offset"


class Clock(Protocol):
    """
    Tells the time, in UTC with a time zone.

    Everything that expires goes by `now`, which the sandbox can move. Leases, time-outs and the
    recovery of orphaned dispatches go by `real` (C-39), which nobody moves.
    """

    def now(self) -> datetime:
        """Return the time of the service."""
        ...

    def real(self) -> datetime:
        """Return the time of the machine."""
        ...
