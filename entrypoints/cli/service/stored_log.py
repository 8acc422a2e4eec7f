"""Reads the log of a store page by page, and follows it (C-38, C-82)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from attrs import frozen

from ....application.audit.log_search import WHOLE_LOG, LogSearch
from ....application.audit.reading_log import MAX_EVENTS, LogPage, ReadingLog
from ....domain.errors import ValidationFailedError
from ...wire.shown_events import name_problems
from .records import Record

# A store that is read beside its service tells nobody that it grew.
LOOK_AT_LOG = 1.0


@frozen(kw_only=True)
class LogQuestion:
    """
    What a command reads of the log: which events, behind which position, how many at once.

    With `follow`, it goes on at the end, and has none. With `mask`, personal data are masked.
    """

    after: int = 0
    search: LogSearch = WHOLE_LOG
    most: int = MAX_EVENTS
    mask: bool = False
    follow: bool = False


async def stored_log(
    reader: ReadingLog, asked: LogQuestion, shown: Callable[[LogPage], Sequence[Record]]
) -> AsyncIterator[Sequence[Record]]:
    """Yield pages of a store's log; raises `ValidationFailedError` for the name of no event."""
    if problems := name_problems(asked.search.names):
        raise ValidationFailedError(problems)
    after = asked.after
    while True:
        read = await reader.events(after, asked.most, asked.search)
        if read.next != after:
            after = read.next
            yield shown(read)
        elif asked.follow:
            await asyncio.sleep(LOOK_AT_LOG)
        else:
            return
