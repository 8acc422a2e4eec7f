"""
Callbacks to the URL of a message (C-33).

The facade that accepted the URL defines the body: it passes a `WriteProgress`.
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

# Messages written at the same time may be in another order in the log, so the oldest rows are compared.
_OLDEST = 100


@frozen(kw_only=True)
class Progress:
    """A status of a message, at a time that its provider may have given (D-35)."""

    message_id: str
    status: MessageStatus
    error_code: str | None
    at: datetime
    recipient: str = field(repr=False)
    tags: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, message_id: str, message: Message) -> Progress:
        """Return the newest status of a message."""
        newest = message.history[-1]
        return cls(
            message_id=message_id,
            status=message.status,
            error_code=newest.error_code,
            at=newest.at,
            recipient=message.recipient,
            tags=message.tags,
        )


# Write the body of a callback; return None if the status has none.
WriteProgress = Callable[[Progress], str | None]


class MessagesWithUrls:
    """Finds the first position in the log of a message with its own URL."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._since: int | None = None

    async def since(self) -> int | None:
        """Return the position before the first of these messages; None if there is none, after one read."""
        if self._since is None:
            query = Query(
                rows=MessageRow,
                where=(Present("callback_url"),),
                descending=False,
                page_size=_OLDEST,
            )
            found = await self._journal.slice(query)
            histories = await asyncio.gather(*(self._journal.read_stream(row.id) for row in found))
            self._since = min((each[0].position - 1 for each in histories), default=None)
        return self._since
