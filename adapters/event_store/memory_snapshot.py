"""A copy of a store in memory, walked through as one on disk is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import frozen

from ...application.ports.snapshot import Held, KeptEvent, KeptRow
from ...application.read_models.rows import Row

R = TypeVar("R", bound=Row)


@frozen
class MemorySnapshot:
    """What was there when it was taken; nothing that is appended later gets into it."""

    _events: Sequence[KeptEvent]
    _rows: Mapping[type[Row], Mapping[str, Any]]
    _holders: Sequence[Held]

    async def damage(self) -> Sequence[str]:
        """Memory is whole as long as the process is."""
        return ()

    async def size(self) -> int:
        """Count the events."""
        return len(self._events)

    async def events(self) -> AsyncIterator[KeptEvent]:
        """Give every event, by stream and version."""
        for each in sorted(self._events, key=lambda each: (each.stream, each.version)):
            yield each

    async def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Give every row of one read model, by key."""
        for key, row in sorted(self._rows.get(rows, {}).items()):
            yield KeptRow(key, row)

    async def holders(self) -> AsyncIterator[Held]:
        """Give who holds what, by holder and subject."""
        for each in sorted(self._holders):
            yield each
