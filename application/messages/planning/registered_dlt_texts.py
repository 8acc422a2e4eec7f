"""The registered DLT templates of accounts, prepared for comparison (C-30)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial

from attrs import frozen

from ....domain.dlt.text import DltTexts
from ...concurrency.keyed_queue import KeyedQueue
from ...journal import Journal
from ...paging import Paging
from ...ports.listings import Equals, Missing, Query
from ...records.dlt_template import DltTemplateRow

# The accounts whose texts are cached; ten thousand texts take some ten megabytes.
_REMEMBERED = 64
_ALL = 1_000_000
_PATIENCE = 5.0
# The number of templates that an account ever registered, and of those that are
# left: any change, by any node, changes one of the two.
_Mark = tuple[int, int]


@frozen
class _Known:
    mark: _Mark
    texts: DltTexts[DltTemplateRow]


class RegisteredDltTexts:
    """Caches an account's texts; each call checks whether they have changed."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._queue = KeyedQueue(_PATIENCE)
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def of(self, account_id: str) -> DltTexts[DltTemplateRow]:
        """Return all texts that are registered now."""
        return await self._queue.take(account_id, partial(self._newest_of, account_id))

    async def _newest_of(self, account_id: str) -> DltTexts[DltTemplateRow]:
        mark = await self._mark(account_id)
        known = self._known.get(account_id)
        if known is None or known.mark != mark:
            rows = await self._journal.slice(_registered(account_id, page_size=_ALL))
            known = _Known(mark, DltTexts((row.text, row) for row in rows))
            self._known[account_id] = known
        self._known.move_to_end(account_id)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return known.texts

    async def _mark(self, account_id: str) -> _Mark:
        one = Paging(page_size=1)
        ever = Query(rows=DltTemplateRow, where=(Equals("account_id", account_id),))
        first, second = await asyncio.gather(
            self._journal.listed(ever, one),
            self._journal.listed(_registered(account_id), one),
        )
        return first.total, second.total


def _registered(account_id: str, page_size: int = 1) -> Query[DltTemplateRow]:
    return Query(
        rows=DltTemplateRow,
        where=(Equals("account_id", account_id), Missing("removed_at")),
        page_size=page_size,
    )
