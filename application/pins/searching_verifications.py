"""Search PINs (C-37)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import attrs
from attrs import field, frozen

from ...domain.channel import Channel
from ...domain.destination import canonical
from ...domain.pin import PinNotFoundError, PinStatus
from ..journal import Journal
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.listings import AtLeast, Below, Either, Equals, Filter, Lists, Query
from ..records.pin import VerificationRow
from .views import VerificationView

# Where the count of a search stops, as that of a report does (D-79).
COUNTED_TO = 10_000
# So few live codes are all gathered, by their expiry: in the order of the list, any number that nobody
# ever verified may lie before the last of them.
FEW = 250
# So few PINs of a channel are all looked at, whatever else they are searched by.
HARDLY_USED = 2_500


@frozen(kw_only=True)
class VerificationSearch:
    """What a search is narrowed to; `destination` is found in any spelling (C-28)."""

    account_id: str | None = None
    reference_id: str | None = field(default=None, repr=False)
    destination: str | None = field(default=None, repr=False)
    template_id: str | None = None
    status: PinStatus | None = None
    channel: Channel | None = None
    since: datetime | None = None
    until: datetime | None = None


class SearchingVerifications:
    """Finds PINs for operators, the newest first."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def get(self, account_id: str, pin_id: str) -> VerificationView:
        """
        Return one PIN of an account as searches show it.

        Raises `PinNotFoundError`, as verify does: also for a PIN that no channel took (D-5).
        """
        row = await self._journal.row(VerificationRow, pin_id)
        if row is None or row.account_id != account_id or row.status == PinStatus.DISPATCH_FAILED:
            raise PinNotFoundError
        return VerificationView.of(row, self._clock.now())

    async def search(self, search: VerificationSearch, paging: Paging) -> Listed[VerificationView]:
        """
        Return one page; a pending PIN past its expiry is shown as expired (C-15).

        The total is `COUNTED_TO` where there are as many or more, whose pages can be had all the same
        (D-63).
        """
        now = self._clock.now()
        shown = partial(VerificationView.of, now=now)
        few = search.channel is not None and await self._hardly_used(search.channel)
        query = Query(
            rows=VerificationRow,
            where=tuple(_filters(search, now, by_channel=few)),
            counted_to=COUNTED_TO,
        )
        if search.status is PinStatus.PENDING:
            live = await self._few_live(query)
            if live is not None:
                return _page_of(live, paging).showing(shown)
        return (await self._journal.listed(query, paging)).showing(shown)

    async def _hardly_used(self, channel: Channel) -> bool:
        """Say whether so few PINs have a channel that any search of it can look at them all."""
        of_channel = Lists("channel_names", channel)
        one_more = Query(
            rows=VerificationRow, where=(of_channel,), page=HARDLY_USED + 1, page_size=1
        )
        return not await self._journal.slice(one_more)

    async def _few_live(self, query: Query[VerificationRow]) -> list[VerificationRow] | None:
        """Give all the live codes there are, the newest PIN first; None where they are not few."""
        by_expiry = attrs.evolve(query, order_by="expires_at", descending=False, page_size=FEW + 1)
        live = await self._journal.slice(by_expiry)
        if len(live) > FEW:
            return None
        return sorted(live, key=lambda row: (row.created_at, row.pin_id), reverse=True)


def _filters(search: VerificationSearch, now: datetime, *, by_channel: bool) -> list[Filter]:
    equal = {
        "reference_id": search.reference_id,
        "destination_canonical": search.destination and canonical(search.destination),
        "template_id": search.template_id,
        "account_id": search.account_id,
    }
    # The first has the fewest rows: it is gone along, and the others are looked at on the way. Codes
    # that are live are found by their expiry, and those of a hardly used channel by that, unless by a
    # person or a reference.
    fewer = by_channel or search.status is PinStatus.PENDING
    by_fewer = fewer and search.reference_id is None and search.destination is None
    filters: list[Filter] = []
    for column, value in equal.items():
        if value is not None:
            filters.append(Equals(column, value, in_passing=by_fewer or bool(filters)))
    if search.channel is not None:
        filters.append(Lists("channel_names", search.channel))
    if search.since is not None:
        filters.append(AtLeast("created_at", search.since))
    if search.until is not None:
        filters.append(Below("created_at", search.until))
    pending = Equals("status", str(PinStatus.PENDING))
    # A code has expired at the very moment of its expiry.
    just_after = now + timedelta.resolution
    match search.status:
        case None:
            pass
        case PinStatus.PENDING:
            filters += [
                attrs.evolve(pending, in_passing=True),
                AtLeast("expires_at", just_after),
            ]
        case PinStatus.EXPIRED:
            filters.append(
                Either(
                    (
                        (Equals("status", str(PinStatus.EXPIRED)),),
                        (pending, Below("expires_at", just_after)),
                    )
                )
            )
        case status:
            filters.append(Equals("status", str(status), in_passing=by_channel))
    return filters


def _page_of(rows: Sequence[VerificationRow], paging: Paging) -> Listed[VerificationRow]:
    before = (paging.page - 1) * paging.page_size
    return Listed(
        page=paging.page,
        page_size=paging.page_size,
        total=len(rows),
        data=rows[before : before + paging.page_size],
    )
