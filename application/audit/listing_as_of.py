"""Lists as they were: the log, folded up to a moment, and searched as the lists of today are (C-82)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime
from typing import Any, TypeVar

from attrs import frozen

from ..journal import Journal
from ..matching import matches
from ..messages.looking_up.searching_messages import MessageSearch, SearchingMessages
from ..messages.looking_up.views import ReportedMessage
from ..pins.managing_pin_templates import TemplateSearch, template_query
from ..pins.searching_verifications import SearchingVerifications, VerificationSearch
from ..pins.views import PinTemplateView, VerificationView
from ..ports.listings import Filter
from ..records import row_of
from ..records.api_key import API_KEY, ApiKeyRow
from ..records.channel_account import CHANNEL_ACCOUNT, ChannelAccountRow
from ..records.message import MESSAGE, MessageRow
from ..records.pin import PIN, VerificationRow
from ..records.pin_template import PIN_TEMPLATE, PinTemplateRow
from ..records.read_model import Row
from .cut import Cut
from .folding_streams import FoldingStreams
from .sorting import Sorting

# Messages whose senders are looked up at once.
_AT_ONCE = 500

R = TypeVar("R", bound=Row)
V = TypeVar("V")
# Makes the text of a row.
Present = Callable[[V], str]


@frozen(kw_only=True)
class Moment:
    """The moment of a list: what had happened, and the time by which PINs expire."""

    cut: Cut
    now: datetime


@frozen
class ListAsOf:
    """
    The texts of a list's rows in the order of the list, to be read once, while its block runs.

    `unreadable` counts the streams that cannot be rebuilt, whose rows are left out.
    """

    rows: Iterator[str]
    unreadable: int


class ListingAsOf:
    """
    Folds a snapshot of the log once for each list, with one stream in memory at a time.

    What does not fit into memory is sorted in temporary files. Every method raises
    `ValidationFailedError` as a search of today does.
    """

    def __init__(
        self, journal: Journal, verifications: SearchingVerifications, messages: SearchingMessages
    ) -> None:
        self._journal = journal
        self._verifications = verifications
        self._messages = messages

    @asynccontextmanager
    async def verifications(
        self, search: VerificationSearch, moment: Moment, present: Present[VerificationView]
    ) -> AsyncIterator[ListAsOf]:
        """List PINs."""
        where = await self._verifications.filters(search, moment.now)
        async with self._folding(moment, _Found(where)) as (streams, found):
            async for stream, pin in streams.states(PIN):
                row = _row(VerificationRow, stream, pin)
                if found.passes(row):
                    found.add(row, stream, present(VerificationView.of(row, moment.now)))
            yield ListAsOf(found.texts(), streams.unreadable)

    @asynccontextmanager
    async def messages(
        self, search: MessageSearch, moment: Moment, present: Present[ReportedMessage]
    ) -> AsyncIterator[ListAsOf]:
        """List messages; channel accounts and API keys have the names that they had, all in memory."""
        async with self._journal.snapshot() as snapshot:
            streams = FoldingStreams(snapshot, moment.cut)
            names = _Names(
                {
                    stream: _row(ChannelAccountRow, stream, each)
                    async for stream, each in streams.states(CHANNEL_ACCOUNT)
                },
                {
                    stream: _row(ApiKeyRow, stream, each)
                    async for stream, each in streams.states(API_KEY)
                },
            )
            where = await self._messages.filters(search, names.channel_accounts_named)
            with closing(_Found(where)) as found:
                async for some in _parts(self._passing(streams, found)):
                    for row, view in await self._reported(some, names):
                        found.add(row, row.id, present(view))
                yield ListAsOf(found.texts(), streams.unreadable)

    @asynccontextmanager
    async def templates(
        self,
        account_id: str | None,
        search: TemplateSearch,
        moment: Moment,
        present: Present[PinTemplateView],
    ) -> AsyncIterator[ListAsOf]:
        """List PIN templates, of one account or of all."""
        query = template_query(account_id, search)
        ordered = _Found(query.where, query.order_by, descending=query.descending)
        async with self._folding(moment, ordered) as (streams, found):
            async for stream, template in streams.states(PIN_TEMPLATE):
                row = _row(PinTemplateRow, stream, template)
                if found.passes(row):
                    found.add(row, stream, present(PinTemplateView.of(stream, template)))
            yield ListAsOf(found.texts(), streams.unreadable)

    @asynccontextmanager
    async def _folding(
        self, moment: Moment, found: _Found
    ) -> AsyncIterator[tuple[FoldingStreams, _Found]]:
        with closing(found):
            async with self._journal.snapshot() as snapshot:
                yield FoldingStreams(snapshot, moment.cut), found

    async def _passing(self, streams: FoldingStreams, found: _Found) -> AsyncIterator[MessageRow]:
        async for stream, message in streams.states(MESSAGE):
            row = _row(MessageRow, stream, message)
            if found.passes(row):
                yield row

    async def _reported(
        self, rows: Sequence[MessageRow], names: _Names
    ) -> list[tuple[MessageRow, ReportedMessage]]:
        # Whoever caused a first event stays the same, so the log of today says it.
        actors = await self._journal.first_actors([row.id for row in rows])
        return [
            (
                row,
                ReportedMessage.of(
                    row,
                    channel_account=names.channel_accounts.get(row.channel_account_id),
                    actor=(actor := actors.get(row.id)),
                    api_key=names.api_keys.get(actor or ""),
                ),
            )
            for row in rows
        ]


@frozen
class _Names:
    """The channel accounts and API keys of a moment, by id."""

    channel_accounts: Mapping[str, ChannelAccountRow]
    api_keys: Mapping[str, ApiKeyRow]

    async def channel_accounts_named(
        self, account_id: str | None, name: str
    ) -> Sequence[ChannelAccountRow]:
        """Return the channel accounts with a name, as a search of today finds them."""
        return [
            each
            for each in self.channel_accounts.values()
            if each.name == name and account_id in (None, each.account_id)
        ]


class _Found:
    """The texts of the rows that pass filters, in order; without filters to ask, no row passes."""

    def __init__(
        self,
        where: Sequence[Filter] | None,
        order_by: str = "created_at",
        *,
        descending: bool = True,
    ) -> None:
        self._where = where
        self._order_by = order_by
        self._sorting = Sorting(descending=descending)

    def passes(self, row: Row) -> bool:
        return self._where is not None and all(matches(each, row) for each in self._where)

    def add(self, row: Row, key: str, text: str) -> None:
        self._sorting.add(_sortable(getattr(row, self._order_by)), key, text)

    def texts(self) -> Iterator[str]:
        return (text for *_, text in self._sorting.sorted())

    def close(self) -> None:
        self._sorting.close()


def _row(kind: type[R], stream: str, state: Any) -> R:
    row = row_of(stream, state)
    if not isinstance(row, kind):
        raise TypeError(f"{type(row).__name__} is no {kind.__name__}")
    return row


async def _parts(rows: AsyncIterator[R]) -> AsyncIterator[list[R]]:
    some: list[R] = []
    async for each in rows:
        some.append(each)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _sortable(value: Any) -> str:
    """Return a value as a text that sorts as the value does."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat(timespec="microseconds")
        case int():
            return f"{value:020d}"
        case _:
            return str(value)
