"""The port for retention: take sealed lines, then whole streams, out of the log (C-75)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from ...domain.log_history import PrunedRange
from .sealed_log import RawEvent


class PrunableLog(Protocol):
    """
    A log from which parts go once an event has recorded it.

    `blank` and `drop` take some streams, each with the number of its events that were recorded. They take
    nothing of a stream that went on since. They are done in one transaction, may be repeated, and are
    durable on return; few streams at once keep writers waiting shortly. Every method may raise
    `StoreUnavailable`.
    """

    async def raw_streams(self, streams: Collection[str]) -> Sequence[RawEvent]:
        """Return all events of some streams as they are stored, by position."""
        ...

    async def streams_at(self, ranges: Sequence[PrunedRange]) -> Mapping[str, int]:
        """Return the streams that have events at these positions, with the number of such events."""
        ...

    async def blank(self, streams: Mapping[str, int]) -> None:
        """
        Blank the sealed lines of streams, so that only their digests are left (D-453).

        Rows, holders, due rows, seal keys and deliveries of the streams go too. A blanked stream has no
        state any more: it is loaded as one without events.
        """
        ...

    async def drop(self, streams: Mapping[str, int]) -> None:
        """Drop streams, with everything that `blank` takes."""
        ...

    async def forget_old_uses(self, prefix: str, before: datetime) -> int:
        """
        Drop uses from before a time, of subjects with `prefix`; return how many.

        An implementation may drop only some at once; 0 means that none is left.
        """
        ...
