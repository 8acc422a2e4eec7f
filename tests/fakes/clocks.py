"""Clocks that stand still until a test moves them."""

from __future__ import annotations

from watchword.testing import StillClock

__all__ = ["MachineSeconds", "StillClock"]


class MachineSeconds:
    """Real time in seconds, as leases are measured by it."""

    def __init__(self, now: float = 1_935_000_000.0) -> None:
        self._now = now

    def __call__(self) -> float:
        """Return the time."""
        return self._now

    def forward(self, seconds: float) -> None:
        """Let time go by."""
        self._now += seconds
