"""What every kind of due work has in common, for whoever runs it."""

from __future__ import annotations

from typing import Protocol

from .ports.event_store import DueKind


class DueWork(Protocol):
    """Work that waits for its time."""

    @property
    def kind(self) -> DueKind | None:
        """Name its due rows; None where it has none, and is looked at now and then."""
        ...

    async def run_due(self) -> int:
        """
        Do some of what is due by now, and give how much; 0 says that nothing is left.

        One thing that fails is raised at the end, and keeps no other waiting. Raises
        `UnavailableError` when the store is out of reach.
        """
        ...
