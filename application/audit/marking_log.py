"""Record the size of the log regularly, so that a log that was cut is noticed (C-91, D-158)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..errors import UnavailableError
from ..ports.log_mark import LogMark


class MarkingLog:
    """Raises the high-water mark to the number of events; an unchanged log costs one read."""

    kind = None

    def __init__(self, mark: LogMark, size: Callable[[], Awaitable[int]]) -> None:
        self._mark = mark
        self._size = size
        self._marked = 0

    async def run_due(self) -> int:
        """Raise the mark; this is never more than one step."""
        events = await self._size()
        if events > self._marked:
            await self._mark.raise_to(events)
            self._marked = events
        return 0

    async def end(self) -> None:
        """Raise the mark a last time, if the store is in reach."""
        with suppress(UnavailableError):
            await self.run_due()
