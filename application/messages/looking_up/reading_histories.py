"""Read the status of messages, and the history of a number or an account (C-23, C-59)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import frozen

from ....domain.channel import ChannelName
from ....domain.destination import canonical
from ...journal import Journal
from ...paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from ...people.people import People
from ...ports.listings import AtLeast, Below, Either, Equals, Filter, Query
from ...records.fallback_run import FallbackRunRow
from ...records.message import MessageRow
from ...searches import narrows
from .views import FollowedMessage, UnknownMessage


@frozen(kw_only=True)
class HistorySearch:
    """The filters of a history; a person's number finds messages in both directions."""

    recipient: str | None = narrows(
        "A number in any spelling: a person's, or the account's own that was written to.",
        personal=True,
    )
    channel: ChannelName | None = narrows("The channel of the messages.")
    since: datetime | None = narrows("Created then or later.")
    until: datetime | None = narrows("Created before then.")


class ReadingHistories:
    """Reads the status and the history of an account's messages."""

    def __init__(self, journal: Journal, people: People) -> None:
        self._journal = journal
        self._people = people

    async def status(
        self, account_id: str, message_ids: Sequence[str]
    ) -> Sequence[FollowedMessage | UnknownMessage]:
        """Return one entry for each id, in the given order."""
        rows = await self._journal.rows(MessageRow, set(message_ids))
        own = [row for row in rows.values() if row.account_id == account_id]
        followed = {each.message_id: each for each in await self._followed(own)}
        return [followed.get(each, UnknownMessage(message_id=each)) for each in message_ids]

    async def history(
        self,
        account_id: str,
        search: HistorySearch,
        page_no: int = 0,
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> Sequence[FollowedMessage]:
        """Return one page, counted from 0, of 100 at most: the newest first, ties broken by id."""
        person_id = None
        if search.recipient is not None:
            person_id = await self._people.find(account_id, search.recipient)
        query = Query(
            rows=MessageRow,
            where=tuple(_filters(account_id, search, person_id)),
            page=page_no + 1,
            page_size=min(limit, MAX_PAGE_SIZE),
        )
        return await self._followed(await self._journal.slice(query))

    async def _followed(self, rows: Sequence[MessageRow]) -> list[FollowedMessage]:
        """Add the runs of messages, and the current status of their steps."""
        run_ids = [row.run_id for row in rows if row.run_id is not None]
        runs = await self._journal.rows(FallbackRunRow, run_ids)
        steps = [step for run in runs.values() for step in run.steps]
        sent = await self._journal.rows(
            MessageRow, [step.message_id for step in steps if step.message_id is not None]
        )
        return [FollowedMessage.of(row, runs.get(row.run_id or ""), sent) for row in rows]


def _filters(account_id: str, search: HistorySearch, person_id: str | None) -> list[Filter]:
    filters: list[Filter] = [Equals("account_id", account_id)]
    if search.recipient is not None:
        own = Equals("own_canonical", canonical(search.recipient))
        # A number that is no person's may be the account's own.
        filters.append(
            own if person_id is None else Either(((Equals("person_id", person_id),), (own,)))
        )
    if search.channel is not None:
        filters.append(Equals("channel", search.channel))
    if search.since is not None:
        filters.append(AtLeast("created_at", search.since))
    if search.until is not None:
        filters.append(Below("created_at", search.until))
    return filters
