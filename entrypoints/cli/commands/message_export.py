"""Reads the whole delivery report, page by page, and makes rows of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from ....application.messages.looking_up.views import TAGS
from ....application.paging import MAX_PAGE_SIZE
from ....domain.destination import masked
from ....domain.message import Direction, MessageStatus
from ...wire.codec import encode, wire_time
from ..service.records import Record

Ask = Callable[[Mapping[str, str], int], Awaitable[Sequence[Record]]]

# Times are shown in milliseconds.
_TICK = timedelta(milliseconds=1)
_REACHED = (MessageStatus.SENT, MessageStatus.DELIVERED, MessageStatus.READ)
_PLAIN = (
    "messageId",
    "accountId",
    "channelType",
    "channelName",
    "resourceType",
    "direction",
    "sender",
    "recipient",
    "status",
    "errorCode",
    "campaignName",
    "fallbackRunId",
    "sentByRunId",
    "actor",
    "apiKeyName",
    "createdAt",
    "updatedAt",
)
COLUMNS = (*_PLAIN, *(f"{word}At" for word in _REACHED), *TAGS, "custRefs")


async def walk(ask: Ask, filters: Mapping[str, str]) -> AsyncGenerator[Sequence[Record]]:
    """
    Yield all messages that filters find, the newest first, page by page.

    Each page begins at the time where the last one ended: a page far back would cost all pages before
    it (D-40). So it may begin with messages of the last page, which are left out.
    """
    asked, page = dict(filters), 1
    given: set[str] = set()
    while True:
        found = await ask(asked, page)
        fresh = [each for each in found if each["messageId"] not in given]
        if fresh:
            yield fresh
        if len(found) < MAX_PAGE_SIZE:
            return
        last = found[-1]["createdAt"]
        until = wire_time(datetime.fromisoformat(last) + _TICK)
        page = page + 1 if until == asked.get("to") else 1
        given = given if page > 1 else set()
        given |= {each["messageId"] for each in found if each["createdAt"] == last}
        asked["to"] = until


def shown(message: Record, *, in_clear: bool) -> Record:
    """Return a message, with the person's number masked unless `in_clear` (C-32)."""
    person = "sender" if message["direction"] == Direction.INBOUND else "recipient"
    return message if in_clear else {**message, person: masked(message[person])}


def row(message: Record) -> list[Any]:
    """Return a message as a row of `COLUMNS`."""
    reached = [
        next((line["at"] for line in message["events"] if line["status"] == word), None)
        for word in _REACHED
    ]
    tags = [message["tags"].get(tag) for tag in TAGS]
    references = encode(message["custRefs"]).decode() if message["custRefs"] else None
    return [*(message[name] for name in _PLAIN), *reached, *tags, references]
