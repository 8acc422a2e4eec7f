"""Find the channel accounts of one provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

from ..journal import Journal
from ..paging import MAX_PAGE_SIZE
from ..ports.listings import Equals, Query
from ..records.channel_account import ChannelAccountRow


async def accounts_of_provider(journal: Journal, provider: str) -> AsyncIterator[ChannelAccountRow]:
    """
    Yield the channel accounts of a provider, the oldest first; raises `UnavailableError`.

    Channel accounts are never removed, and a new one comes last: no page misses one.
    """
    for page in count(1):
        rows = await journal.slice(
            Query(
                rows=ChannelAccountRow,
                where=(Equals("provider", provider),),
                descending=False,
                page=page,
                page_size=MAX_PAGE_SIZE,
            )
        )
        for row in rows:
            yield row
        if len(rows) < MAX_PAGE_SIZE:
            return
