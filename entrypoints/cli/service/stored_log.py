"""Reads the log of a store page by page, and follows it (C-38, C-82)."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from attrs import frozen

from ....application.audit.log_search import WHOLE_LOG, LogSearch
from ....application.audit.reading_log import MAX_EVENTS, ReadingLog
from ....application.evidence.reading_evidence import DroppedEvent, EvidentEvent, ReadingEvidence
from ....domain.errors import ValidationFailedError
from ...wire.shown_events import name_problems, shown_event
from .records import Record

# A store that is read beside its service tells nobody that it grew.
LOOK_AT_LOG = 1.0

Page = tuple[Sequence[Record], int]
# Returns the events behind a position, and the position behind which to go on.
Read = Callable[[int], Awaitable[Page]]


@frozen(kw_only=True)
class LogQuestion:
    """
    What a command reads of the log: which events, behind which position, how many at once.

    With `follow`, it goes on at the end, and has none. With `mask`, personal data are masked. With
    `evidence`, each event has what proves it, and none is left out.
    """

    after: int = 0
    search: LogSearch = WHOLE_LOG
    most: int = MAX_EVENTS
    mask: bool = False
    evidence: bool = False
    follow: bool = False


def reading_events(reader: ReadingLog, asked: LogQuestion) -> Read:
    """Return what reads the events of a search; raises `ValidationFailedError` for the name of none."""
    if problems := name_problems(asked.search.names):
        raise ValidationFailedError(problems)

    async def read(after: int) -> Page:
        page = await reader.events(after, asked.most, asked.search)
        return [shown_event(each, mask=asked.mask) for each in page.events], page.next

    return read


def reading_evidence(reader: ReadingEvidence, asked: LogQuestion) -> Read:
    """Return what reads all events, each with its evidence."""

    async def read(after: int) -> Page:
        page = await reader.page(after)
        return [_proved(each, mask=asked.mask) for each in page.events], page.next

    return read


async def stored_log(read: Read, asked: LogQuestion) -> AsyncIterator[Sequence[Record]]:
    """Yield the pages of a store's log."""
    after = asked.after
    while True:
        events, behind = await read(after)
        if behind != after:
            after = behind
            yield events
        elif asked.follow:
            await asyncio.sleep(LOOK_AT_LOG)
        else:
            return


def _proved(event: EvidentEvent | DroppedEvent, *, mask: bool) -> dict[str, Any]:
    if isinstance(event, DroppedEvent):
        leaf = base64.b64encode(event.leaf).decode()
        return {"position": event.position, "evidence": {"leaf": leaf}}
    evidence = {
        "topic": event.topic,
        "open": event.open,
        "sealed": event.sealed,
        "secret": event.secret,
    }
    return {**shown_event(event.recorded, mask=mask), "evidence": evidence}
