"""Disable and enable short links (C-95)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from ...domain import short_link
from ...domain.decider import Decision
from ...domain.short_link import (
    ShortLink,
    ShortLinkNotFoundError,
    is_code,
    link_id,
    short_link_decider,
)
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..records.short_link import ShortLinkRow
from .following_short_links import loaded_from
from .views import ShortLinkView

Decide = Callable[[ShortLink, datetime], Decision]


class ManagingShortLinks:
    """Disables and enables links, by their codes."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def disable(self, by: Caller, code: str) -> ShortLinkView:
        """Disable a link until it is enabled again; raises `ShortLinkNotFoundError`."""
        return await retry_on_conflict(partial(self._decide, by, code, short_link.disable))

    async def enable(self, by: Caller, code: str) -> ShortLinkView:
        """Enable a link again; raises `ShortLinkNotFoundError`."""
        return await retry_on_conflict(partial(self._decide, by, code, short_link.enable))

    async def _decide(self, by: Caller, code: str, decide: Decide) -> ShortLinkView:
        stream = link_id(code)
        row = await self._journal.row(ShortLinkRow, stream) if is_code(code) else None
        if row is None or not by.sees(row.account_id):
            raise ShortLinkNotFoundError
        now, loaded = self._clock.now(), loaded_from(row)
        after = change(short_link_decider, stream, loaded, decide(loaded.state, now))
        if after.events:
            await self._journal.write(by, now, after)
        return ShortLinkView.of(stream, after.state)
