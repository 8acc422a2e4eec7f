"""
What is told at the URL that came with a message (C-33), to whoever sent it.

Which words it is told in is for those who took the URL in: `WriteProgress` is theirs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime

from attrs import field, frozen

from ...domain.message import Message, MessageStatus
from ..journal import Journal
from ..ports.listings import Present, Query
from ..records.message import MessageRow

# More than are taken in at one time: their order in time is not quite that of the log.
_OLDEST = 100


@frozen(kw_only=True)
class Progress:
    """A message has reached a status, at a time that its provider may have named (D-35)."""

    message_id: str
    status: MessageStatus
    error_code: str | None
    at: datetime
    recipient: str = field(repr=False)
    tags: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, message_id: str, message: Message) -> Progress:
        """Give where a message stands that has just got there."""
        newest = message.history[-1]
        return cls(
            message_id=message_id,
            status=message.status,
            error_code=newest.error_code,
            at=newest.at,
            recipient=message.recipient,
            tags=message.tags,
        )


# Gives the body that says it; None where it is not told.
WriteProgress = Callable[[Progress], str | None]


class CalledBackMessages:
    """Finds from where on the log has messages with URLs of their own."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._since: int | None = None

    async def since(self) -> int | None:
        """Return the position before the first of them; None if there is none, after one look."""
        if self._since is None:
            query = Query(
                rows=MessageRow,
                where=(Present("callback_url"),),
                descending=False,
                page_size=_OLDEST,
            )
            found = await self._journal.slice(query)
            stories = await asyncio.gather(*(self._journal.read_stream(row.id) for row in found))
            self._since = min((story[0].position - 1 for story in stories), default=None)
        return self._since
