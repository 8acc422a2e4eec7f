"""Choose the channel account that sends a message (C-49)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import datetime, timedelta

from ....domain.channel import ChannelName
from ...journal import Journal
from ...ports.clock import Clock
from ...ports.listings import Equals, Filter, Query
from ...records.channel_account import ChannelAccountRow

_REMEMBERED = 10_000
# A channel account created by another node is used within this time.
_TRUSTED_FOR = timedelta(seconds=1)
_Answer = tuple[datetime, asyncio.Future[str | None]]


class ChoosingChannelAccounts:
    """Finds channel accounts by channel and sender, and caches the latest ones for a second."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock
        self._known: OrderedDict[tuple[str, ChannelName, str], _Answer] = OrderedDict()

    async def choose(self, account_id: str, channel: ChannelName, sender: str) -> str | None:
        """
        Return the account's channel account with this sender, else its first one for the channel.

        Of several, enabled ones come first. A disabled one with the sender is chosen before an enabled
        one without it: its failover accounts follow, and nobody sends under another's sender (D-250).
        """
        asked = (account_id, channel, sender)
        known, real = self._known.get(asked), self._clock.real()
        if known is None or abs(real - known[0]) >= _TRUSTED_FOR:
            # Concurrent calls, such as those of a batch of fallbacks, share one look-up.
            known = (real, asyncio.ensure_future(self._look_up(*asked)))
            self._known[asked] = known
            self._known.move_to_end(asked)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        try:
            chosen = await asyncio.shield(known[1])
        except Exception:
            self._known.pop(asked, None)
            raise
        if chosen is None:
            self._known.pop(asked, None)
        return chosen

    def forget(self) -> None:
        """Forget all answers, because a channel account changed on this node."""
        self._known.clear()

    async def _look_up(self, account_id: str, channel: ChannelName, sender: str) -> str | None:
        account = (Equals("account_id", account_id), Equals("channel_type", str(channel)))
        with_sender = (*account, Equals("sender", sender))
        enabled = Equals("enabled", value=True)
        for where in ((*with_sender, enabled), with_sender, (*account, enabled), account):
            found = await self._first(where)
            if found is not None:
                return found
        return None

    async def _first(self, where: tuple[Filter, ...]) -> str | None:
        query = Query(rows=ChannelAccountRow, where=where, descending=False, page_size=1)
        found = await self._journal.slice(query)
        return found[0].id if found else None
