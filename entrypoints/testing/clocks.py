"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class StillClock:
    """Has the service's time and the machine's; a test moves each on its own."""

    def __init__(self) -> None:
        self._now = self._real = datetime(2031, 5, 4, 12, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the service's time."""
        return self._now

    def real(self) -> datetime:
        """Return the machine's time."""
        return self._real

    def move(self, seconds: float) -> None:
        """Move the service's time forward, or back."""
        self._now += timedelta(seconds=seconds)

    def move_real(self, seconds: float) -> None:
        """Move the machine's time forward, or back."""
        self._real += timedelta(seconds=seconds)
