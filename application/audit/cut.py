"""Where a history is cut to see it as it was (C-82)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class Cut:
    """
    The moment as of which a history is read: a position in the log, or a time (D-443).

    A position is exact. A time has the events whose own time is at or before it.
    """

    position: int | None = None
    at: datetime | None = None

    def has(self, position: int, at: datetime) -> bool:
        """Return whether an event at this position and time had happened."""
        return (self.position is None or position <= self.position) and (
            self.at is None or at <= self.at
        )
