"""Follow a short link to its address, and count the click (C-29)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial

from ...domain.event import ERASED, MASK
from ...domain.short_link import (
    ShortLink,
    ShortLinkNotFoundError,
    click,
    is_code,
    link_id,
    short_link_decider,
)
from ..caller import PUBLIC, Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..errors import UnavailableError
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Loaded
from ..ports.sealer import Sealer
from ..records.short_link import ShortLinkRow

# A click that is not recorded within these seconds is not counted; its visitor is redirected (D-77).
PATIENCE = 1.0


class FollowingShortLinks:
    """Redirects visitors. A visitor needs the code alone."""

    def __init__(self, journal: Journal, sealer: Sealer, clock: Clock) -> None:
        self._journal = journal
        self._sealer = sealer
        self._clock = clock
        self._queue = KeyedQueue(PATIENCE)

    async def follow(self, code: str, request_id: str, *, counted: bool = True) -> str:
        """
        Return the address of a code, once the click is recorded or its time is over.

        Raises `ShortLinkNotFoundError`, also for a disabled link and for one of an erased person, and
        `UnavailableError` if the store cannot be read, or this node lacks the code key of the address.
        """
        stream = link_id(code)
        row = await self._journal.row(ShortLinkRow, stream) if is_code(code) else None
        if row is None or row.disabled_at is not None or await self._is_erased(row):
            raise ShortLinkNotFoundError
        if row.url == MASK:
            raise UnavailableError
        if counted and click(link_of(row), self._clock.now()).events:
            await self._count(row, Caller(row.account_id, PUBLIC, request_id))
        if row.url is not None:
            return row.url
        assert row.sealed_url is not None
        return self._sealer.open_under(code, stream, row.sealed_url).decode()

    async def _is_erased(self, row: ShortLinkRow) -> bool:
        """Return whether the link went to somebody who was erased."""
        if row.url is not None or row.person_id is None:
            return row.url == ERASED
        # The link's own code would still open its address.
        return not await self._journal.people_named((row.person_id,))

    async def _count(self, row: ShortLinkRow, by: Caller) -> None:
        with suppress(UnavailableError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                click = partial(self._click, row.id, by)
                await self._queue.take(row.id, partial(retry_on_conflict, click))

    async def _click(self, stream: str, by: Caller) -> None:
        # The row has the whole state; folding a popular link would read thousands of events.
        row = await self._journal.row(ShortLinkRow, stream)
        assert row is not None
        if row.url == ERASED:
            # The person was erased while the click was waiting.
            raise ShortLinkNotFoundError
        now, loaded = self._clock.now(), loaded_from(row)
        clicked = change(short_link_decider, stream, loaded, click(loaded.state, now))
        if clicked.events:
            await self._journal.write(by, now, clicked)


def loaded_from(row: ShortLinkRow) -> Loaded[ShortLink]:
    """Return the link in a row, with its stream's version."""
    return Loaded(link_of(row), 1 + row.clicks + row.switches)


def link_of(row: ShortLinkRow) -> ShortLink:
    """Return the link in a row, which has the whole state."""
    return ShortLink(
        account_id=row.account_id,
        person_id=row.person_id,
        message_id=row.message_id,
        url=row.url,
        sealed=row.sealed_url,
        clicks=row.clicks,
        created_at=row.created_at,
        clicked_at=row.clicked_at,
        disabled_at=row.disabled_at,
        switches=row.switches,
    )
