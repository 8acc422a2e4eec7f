"""The history: what happened, in order, and the state that it adds up to (C-38)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from ...domain.errors import NotFoundError
from ..aggregates import decider_of
from ..journal import Journal
from ..ports.event_store import Recorded
from .checking import Checked, Checking

MAX_EVENTS = 1000


class StreamNotFoundError(NotFoundError):
    """Nothing ever happened under this id."""

    code = "stream_not_found"

    def __init__(self) -> None:
        super().__init__("No stream has this id. A PIN's stream is its pinId.")


@frozen
class Replay:
    """A stream's events up to a time, the kind of aggregate, and the state rebuilt from them."""

    kind: str
    events: Sequence[Recorded]
    state: Any


class Auditing:
    """Reads the log; writes nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def events(self, after: int, limit: int) -> Sequence[Recorded]:
        """Give events behind a position, in commit order, at most 1,000."""
        return await self._journal.read_log(after, min(max(limit, 1), MAX_EVENTS))

    async def stream(self, stream: str) -> Sequence[Recorded]:
        """Give one stream's events; raises `StreamNotFoundError`."""
        events = await self._journal.read_stream(stream)
        if not events:
            raise StreamNotFoundError
        return events

    async def check(self, told: Callable[[int, int], None] | None = None) -> Checked:
        """Replay everything and compare it with the read models; `told` hears how far it is."""
        return await Checking(self._journal).check(told)

    async def replay(self, stream: str, at: datetime | None = None) -> Replay:
        """Rebuild an aggregate from its events, as of a time; raises `StreamNotFoundError`."""
        events = [each for each in await self.stream(stream) if at is None or each.event.at <= at]
        if not events:
            raise StreamNotFoundError
        decider = decider_of(events[0].event)
        return Replay(decider.kind, events, decider.fold(each.event for each in events))
