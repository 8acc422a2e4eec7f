"""The history for embedders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...application.audit.reading_log import DEFAULT_EVENTS, Replay
from ...application.ports.event_store import Recorded
from .leasing import Facade
from .references import PinReference, Reference, aware, stream_of


class Events(Facade):
    """The log of events, and the histories in it."""

    async def list(self, after: int = 0, limit: int = DEFAULT_EVENTS) -> Sequence[Recorded]:
        """Return the log after a position, in commit order."""
        return (await self._parts.reading_log.events(after, limit)).events

    async def get(self, stream: Reference | PinReference) -> Sequence[Recorded]:
        """Return one stream's events, a PIN's by its id; raise `StreamNotFoundError`."""
        return await self._parts.reading_log.stream(stream_of(stream))

    async def replay(self, stream: Reference | PinReference, at: datetime | None = None) -> Replay:
        """
        Rebuild an aggregate from its events, as of a time.

        Raises `StreamNotFoundError`, and `ValueError` for a time without a zone.
        """
        return await self._parts.reading_log.replay(stream_of(stream), aware("at", at))
