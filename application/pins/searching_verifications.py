"""Search PINs (C-37)."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from attrs import frozen

from ...domain.channel import Channel
from ...domain.pin import PinNotFoundError, PinStatus, pin_decider
from ..journal import Journal
from ..paging import Listed, Paging, nothing_listed
from ..people.people import People
from ..ports.clock import Clock
from ..ports.listings import AtLeast, Below, Either, Equals, Filter, Lists, Query
from ..records.pin import VerificationRow
from ..searches import COUNTED_TO, account_of_search, narrows
from .views import VerificationView


@frozen(kw_only=True)
class VerificationSearch:
    """The filters of a search, in one account or in all."""

    reference_id: str | None = narrows("The caller's reference, exactly.", personal=True)
    destination: str | None = narrows("Where codes went, in any spelling.", personal=True)
    template_id: str | None = narrows("The template that they were sent under.")
    status: PinStatus | None = narrows("Those of this status.")
    channel: Channel | None = narrows("A channel on which codes were sent.")
    since: datetime | None = narrows("Created then or later (ISO 8601).")
    until: datetime | None = narrows("Created before then.")
    account_id: str | None = narrows("Those of one account, by its id or name.")


class SearchingVerifications:
    """Finds PINs for operators, the newest first."""

    def __init__(self, journal: Journal, clock: Clock, people: People) -> None:
        self._journal = journal
        self._people = people
        self._clock = clock

    async def get(self, account_id: str, pin_id: str) -> VerificationView:
        """
        Return one PIN of an account in the form of search results.

        Raises `PinNotFoundError`, like verify also for a PIN that no channel accepted (D-5).
        """
        row = await self._journal.row(VerificationRow, pin_id)
        if row is None or row.account_id != account_id or row.status == PinStatus.DISPATCH_FAILED:
            raise PinNotFoundError
        return VerificationView.of(row, self._clock.now())

    async def destination_of(self, account_id: str, pin_id: str) -> str | None:
        """Return the destination of a PIN of an account; None if the account has no such PIN."""
        loaded = await self._journal.recall_if_any(pin_decider, pin_id)
        if loaded is None or loaded.state.account_id != account_id:
            return None
        return loaded.state.destination

    async def search(self, search: VerificationSearch, paging: Paging) -> Listed[VerificationView]:
        """
        Return one page; a pending PIN past its expiry is shown as expired (C-15).

        The total is never above `COUNTED_TO`, but later pages can be read (D-63). Raises
        `ValidationFailedError` for a search by destination or reference without an account (C-100).
        """
        now = self._clock.now()
        where = await self.filters(search, now)
        if where is None:
            return nothing_listed(paging)
        query = Query(rows=VerificationRow, where=where, counted_to=COUNTED_TO)
        listed = await self._journal.listed(query, paging)
        return listed.showing(partial(VerificationView.of, now=now))

    async def filters(self, search: VerificationSearch, now: datetime) -> tuple[Filter, ...] | None:
        """Return the filters of a search at a time, None if no PIN can match; raises as `search` does."""
        filters = _filters(search, now)
        if search.destination is not None or search.reference_id is not None:
            account_id = account_of_search(search.account_id)
            if search.destination is not None:
                person_id = await self._people.find(account_id, search.destination)
                if person_id is None:
                    return None
                filters.append(Equals("person_id", person_id))
        return tuple(filters)


def _filters(search: VerificationSearch, now: datetime) -> list[Filter]:
    equal = {
        "reference_id": search.reference_id,
        "template_id": search.template_id,
        "account_id": search.account_id,
    }
    filters: list[Filter] = [
        Equals(column, value) for column, value in equal.items() if value is not None
    ]
    if search.channel is not None:
        filters.append(Lists("channel_names", search.channel))
    if search.since is not None:
        filters.append(AtLeast("created_at", search.since))
    if search.until is not None:
        filters.append(Below("created_at", search.until))
    pending = Equals("status", str(PinStatus.PENDING))
    # At the very moment of its expiry, a code has expired.
    just_after = now + timedelta.resolution
    match search.status:
        case None:
            pass
        case PinStatus.PENDING:
            filters += [pending, AtLeast("expires_at", just_after)]
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
            filters.append(Equals("status", str(status)))
    return filters
