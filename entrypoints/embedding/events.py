"""The history for embedders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...application.audit.auditing import Auditing, Replay
from ...application.ports.event_store import Recorded
from .references import aware


class Events:
    """The history."""

    def __init__(self, auditing: Auditing) -> None:
        self._auditing = auditing

    async def list(self, after: int = 0, limit: int = 100) -> Sequence[Recorded]:
        """Give the log behind a position, in commit order."""
        return (await self._auditing.events(after, limit)).events

    async def get(self, stream: str) -> Sequence[Recorded]:
        """Give one stream's events, a PIN's by its id; raises `StreamNotFoundError`."""
        return await self._auditing.stream(stream)

    async def replay(self, stream: str, at: datetime | None = None) -> Replay:
        """
        Rebuild an aggregate from its events, as of a time.

        Raises `StreamNotFoundError`, and `ValueError` for a time without a zone.
        """
        return await self._auditing.replay(stream, aware("at", at))
