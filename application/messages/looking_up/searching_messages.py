"""Search messages; the delivery report is this search (SPEC 4 E, C-37)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from attrs import evolve, frozen

from ....domain.channel import ChannelName
from ....domain.message import Direction, MessageStatus, ResourceType
from ...journal import Journal
from ...paging import Listed, Paging, nothing_listed
from ...people.people import People
from ...ports.listings import AtLeast, Below, Either, Equals, Filter, Missing, Query, of_account
from ...records.api_key import ApiKeyRow
from ...records.channel_account import ChannelAccountRow
from ...records.message import MessageRow
from ...searches import COUNTED_TO, account_of_search, narrows
from .views import TAGS, ReportedMessage

# Returns the channel accounts of an account, or of all, that have a name.
Named = Callable[[str | None, str], Awaitable[Sequence[ChannelAccountRow]]]
# More channel accounts with one name are a mistake, and nobody needs their messages in one list.
_MOST_NAMESAKES = 20


@frozen(kw_only=True)
class MessageSearch:
    """The filters of a search, in one account or in all; a recipient also finds its inbound messages."""

    recipient: str | None = narrows("A person's number, in any spelling.", personal=True)
    reference: str | None = narrows("The first custom reference, exactly.", personal=True)
    status: MessageStatus | None = narrows("Those of this status.")
    direction: Direction | None = narrows("Sent, or received.")
    channel_type: ChannelName | None = narrows("sms, whatsapp, rcs or email.")
    channel_name: str | None = narrows("The name of a channel account.")
    resource_type: ResourceType | None = narrows("The interface by which they came.")
    tag1: str | None = narrows("A tag of sends by the legacy platform, exactly.", personal=True)
    tag2: str | None = narrows("Likewise.", personal=True)
    tag3: str | None = narrows("Likewise.", personal=True)
    since: datetime | None = narrows("Created then or later.")
    until: datetime | None = narrows("Created before then.")
    account_id: str | None = narrows("Those of one account, by its id or name.")

    @property
    def personal(self) -> tuple[str | None, ...]:
        """The filters that the store knows by account alone, because they tell of a person (C-100)."""
        return (self.recipient, self.reference, *(getattr(self, name) for name in TAGS))

    @property
    def by_time_alone(self) -> bool:
        """Whether the only filter is time."""
        return self == MessageSearch(account_id=self.account_id, since=self.since, until=self.until)


class SearchingMessages:
    """Finds messages in both directions, the newest first."""

    def __init__(self, journal: Journal, people: People) -> None:
        self._journal = journal
        self._people = people

    async def search(self, search: MessageSearch, paging: Paging) -> Listed[ReportedMessage]:
        """
        Return one page; the total is never above `COUNTED_TO`.

        Raises `ValidationFailedError` for a recipient, reference or tag without an account (C-100).
        """
        where = await self.filters(search, self._named)
        if where is None:
            return nothing_listed(paging)
        query = Query(rows=MessageRow, where=where, counted_to=COUNTED_TO)
        listed = await self._journal.listed(query, paging)
        return Listed(
            page=listed.page,
            page_size=listed.page_size,
            total=listed.total,
            data=await self.reported(listed.data),
        )

    async def filters(self, search: MessageSearch, named: Named) -> tuple[Filter, ...] | None:
        """
        Return the filters of a search, None if no message can match; raises as `search` does.

        `named` finds channel accounts by their names.
        """
        person_id = None
        if any(each is not None for each in search.personal):
            account_id = account_of_search(search.account_id)
            if search.recipient is not None:
                person_id = await self._people.find(account_id, search.recipient)
                if person_id is None:
                    return None
        channel, through = search.channel_type, []
        if search.channel_name is not None:
            accounts = await named(search.account_id, search.channel_name)
            fitting = [each for each in accounts if channel in (None, each.channel_type)]
            if not fitting:
                return None
            through = [each.id for each in fitting]
            if len({each.channel_type for each in fitting}) == 1:
                channel = fitting[0].channel_type
        direction, status = search.direction, search.status
        if search.resource_type is not None:
            if direction is Direction.INBOUND:
                return None
            direction = Direction.OUTBOUND
        if direction is Direction.INBOUND:
            # Exactly the inbound messages have this status (D-35), which finds them fast.
            if status not in (None, MessageStatus.RECEIVED):
                return None
            status = MessageStatus.RECEIVED
        narrowed = evolve(search, channel_type=channel, direction=direction, status=status)
        return _where(narrowed, person_id, through)

    async def _named(self, account_id: str | None, name: str) -> Sequence[ChannelAccountRow]:
        return await self._journal.slice(
            Query(
                rows=ChannelAccountRow,
                where=(*of_account(account_id), Equals("name", name)),
                page_size=_MOST_NAMESAKES,
            )
        )

    async def reported(self, rows: Sequence[MessageRow]) -> list[ReportedMessage]:
        """Return the views of rows."""
        through = {row.channel_account_id for row in rows}
        accounts = await self._journal.rows(ChannelAccountRow, through)
        # The envelope of a message's first event names its sender; a row would repeat it (D-152).
        actors = await self._journal.first_actors([row.id for row in rows])
        keys = await self._journal.rows(ApiKeyRow, set(actors.values()))
        return [
            ReportedMessage.of(
                row,
                channel_account=accounts.get(row.channel_account_id),
                actor=(actor := actors.get(row.id)),
                api_key=keys.get(actor or ""),
            )
            for row in rows
        ]


def _where(
    search: MessageSearch, person_id: str | None, channel_accounts: Sequence[str]
) -> tuple[Filter, ...]:
    legacy = ResourceType.LEGACY
    equal = {
        "account_id": search.account_id,
        "person_id": person_id,
        "reference": search.reference,
        **{name: getattr(search, name) for name in TAGS},
        "status": search.status and str(search.status),
        "channel": search.channel_type,
        "resource_type": str(legacy) if search.resource_type is legacy else None,
        "direction": search.direction and str(search.direction),
    }
    filters: list[Filter] = [
        Equals(column, value) for column, value in equal.items() if value is not None
    ]
    if search.resource_type is ResourceType.API:
        filters.append(Missing("resource_type"))
    if channel_accounts:
        filters.append(
            Either(tuple((Equals("channel_account_id", each),) for each in channel_accounts))
        )
    if search.since is not None:
        filters.append(AtLeast("created_at", search.since))
    if search.until is not None:
        filters.append(Below("created_at", search.until))
    return tuple(filters)
