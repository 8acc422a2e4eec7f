"""The machine's clock, and the sandbox's movable clock (C-39)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

# Leaves ten years, the longest duration, before the calendar ends.
_LATEST = datetime(9989, 1, 1, tzinfo=UTC)


class SystemClock:
    """Returns the machine's time from both methods."""

    def now(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)

    def real(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)


class MovableClock:
    """Adds an offset to the machine's time; the offset only grows."""

    def __init__(self, offset: timedelta = timedelta(0)) -> None:
        self.offset = offset

    def now(self) -> datetime:
        """Return the moved time."""
        return datetime.now(UTC) + self.offset

    def real(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)

    def advance(self, by: timedelta) -> None:
        """Move the time forward; raises `ValueError` near the end of the calendar."""
        if datetime.now(UTC) + self.offset > _LATEST - by:
            raise ValueError("would end the calendar")
        self.offset += by

    def catch_up(self, offset: timedelta) -> None:
        """Use an offset if it is larger than the current one."""
        self.offset = max(self.offset, offset)
