"""What the lists store of a person: which lists there are, and their rows, page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from itertools import count
from typing import TypeVar

import attrs

from ..journal import Journal
from ..paging import MAX_PAGE_SIZE
from ..ports.listings import Equals, Filter, Query
from ..records import READ_MODELS
from ..records.read_model import PERSON_ID, Row, has_person

R = TypeVar("R", bound=Row)

_TIMES = ("created_at", "since")


def lists_of_people() -> Sequence[type[Row]]:
    """Return the rows of the lists that name people."""
    return [each.row for each in READ_MODELS if has_person(each.row)]


def key_of(row: Row) -> str:
    """Return the key of a row, which is its first field."""
    return str(getattr(row, attrs.fields(type(row))[0].name))


async def pages_of(
    journal: Journal, rows: type[R], person_id: str, *where: Filter
) -> AsyncIterator[Sequence[R]]:
    """Yield the rows of a person in a list, the oldest first, a page at a time."""
    async for page in pages_where(journal, rows, Equals(PERSON_ID, person_id), *where):
        yield page


async def page_of(journal: Journal, rows: type[R], person_id: str, *where: Filter) -> Sequence[R]:
    """Return the first page of the rows of a person in a list."""
    return await _page(journal, rows, (Equals(PERSON_ID, person_id), *where), 1)


async def pages_where(
    journal: Journal, rows: type[R], *where: Filter
) -> AsyncIterator[Sequence[R]]:
    """Yield the rows of a list that match all filters, the oldest first, a page at a time."""
    for number in count(1):
        found = await _page(journal, rows, where, number)
        if found:
            yield found
        if len(found) < MAX_PAGE_SIZE:
            return


async def _page(
    journal: Journal, rows: type[R], where: tuple[Filter, ...], number: int
) -> Sequence[R]:
    fields = attrs.fields_dict(rows)
    return await journal.slice(
        Query(
            rows=rows,
            where=where,
            order_by=next(each for each in _TIMES if each in fields),
            descending=False,
            page=number,
            page_size=MAX_PAGE_SIZE,
        )
    )
