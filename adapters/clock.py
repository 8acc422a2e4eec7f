"""Clocks: the machine's, and the sandbox's, which can be moved (C-39)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

# Ten years of room, the longest duration, before the calendar ends.
_LATEST = datetime(9989, 1, 1, tzinfo=UTC)


class SystemClock:
    """Tells the machine's time for both."""

    def now(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)

    def real(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)


class MovableClock:
    """Runs on from an offset to the machine's time; only forwards."""

    def __init__(self, offset: timedelta = timedelta(0)) -> None:
        self.offset = offset

    def now(self) -> datetime:
        """Return the moved time."""
        return datetime.now(UTC) + self.offset

    def real(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)

    def advance(self, by: timedelta) -> None:
        """Move the time on."""
        if datetime.now(UTC) + self.offset > _LATEST - by:
            raise ValueError("would end the calendar")
        self.offset += by

    def catch_up(self, offset: timedelta) -> None:
        """Move on to an offset, where it lies ahead."""
        self.offset = max(self.offset, offset)
