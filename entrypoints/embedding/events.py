"""The history for embedders."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from datetime import datetime

from ...application.audit.log_search import WHOLE_LOG
from ...application.audit.reading_log import DEFAULT_EVENTS, Replay
from ...application.audit.watching_log import LONGEST_WAIT
from ...application.errors import UnavailableError
from ...application.ports.event_store import Recorded
from .leasing import Facade
from .references import PinReference, Reference, aware, stream_of

# So many events are in memory while a loop handles one.
_PAGE = 100
_AGAIN_AFTER = 1.0
# No database counts further.
_LAST_POSITION = 2**63 - 1


class PositionAheadError(LookupError):
    """The log ends before a position that its follower has kept: the store is not the one it was."""

    def __init__(self, after: int, newest: int) -> None:
        super().__init__(
            f"The log ends at position {newest}, before {after}. This is another store, or one that was"
            " restored without its last events. Build what you made of the log anew, from position 0."
        )


class Events(Facade):
    """The log of events, and the histories in it."""

    async def list(self, after: int = 0, limit: int = DEFAULT_EVENTS) -> Sequence[Recorded]:
        """
        Return up to `limit` events after a position, at most 1,000, in commit order.

        Raises `ValueError` for what is no position or no number.
        """
        _check_position(after)
        if not isinstance(limit, int):
            raise ValueError(f"limit= must be a number of events, and not {limit!r}.")
        return (await self._parts.reading_log.events(after, limit)).events

    async def follow(self, after: int = 0) -> AsyncGenerator[Recorded, None]:
        """
        Yield every event after a position, in commit order, and then each new one; end with the service.

        The position of the last handled event is the caller's to keep, best in the transaction that writes
        what followed from it: who begins again after it misses nothing, and who does not keep it gets
        events again (D-541). Between two events nothing is held, so the loop may take its time, and may
        be left. While the store is out of reach, it waits.

        Raises `ValueError` for what is no position, and `PositionAheadError` for one that the log does not
        reach. After the restore of a backup begin at 0: lost positions are given to other events, and one
        that the log has reached again is not noticed.
        """
        _check_position(after)
        _ = self._parts
        seconds = 0
        while not self._lease.has_ended:
            page: Sequence[Recorded] = ()
            with suppress(TimeoutError):
                async with asyncio.timeout(None) as wait:
                    with self._lease.ends(wait):
                        page = await self._next(after, seconds)
            for each in page:
                if self._lease.has_ended:
                    return
                yield each
                after = each.position
            seconds = LONGEST_WAIT

    async def _next(self, after: int, seconds: int) -> Sequence[Recorded]:
        """Return the next events, none if none come in time; wait out that the store is out of reach."""
        while True:
            try:
                page = await self._parts.watching_log.events(after, _PAGE, WHOLE_LOG, seconds)
                if not page.events and (newest := await self._parts.journal.newest()) < after:
                    raise PositionAheadError(after, newest)
            except UnavailableError:
                await asyncio.sleep(_AGAIN_AFTER)
            else:
                return page.events

    async def get(self, stream: Reference | PinReference) -> Sequence[Recorded]:
        """Return one stream's events, a PIN's by its id; raise `StreamNotFoundError`."""
        return await self._parts.reading_log.stream(stream_of(stream))

    async def replay(self, stream: Reference | PinReference, at: datetime | None = None) -> Replay:
        """
        Rebuild an aggregate from its events, as of a time.

        Raises `StreamNotFoundError`, and `ValueError` for a time without a zone.
        """
        return await self._parts.reading_log.replay(stream_of(stream), aware("at", at))


def _check_position(after: object) -> None:
    if not isinstance(after, int) or not 0 <= after <= _LAST_POSITION:
        raise ValueError(f"after= must be a position, or 0 for the whole log, and not {after!r}.")
