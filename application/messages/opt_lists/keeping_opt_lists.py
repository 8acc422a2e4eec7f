"""Manage the WhatsApp opt-in and opt-out lists of accounts (SPEC C, C-27)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from attrs import frozen

from ....domain import consent
from ....domain.channel import Channel
from ....domain.consent import OptList, PutOnList, TakeOffList, consent_decider
from ....domain.decider import Decision
from ...caller import Caller
from ...concurrency.bulk_lane import BulkLane
from ...journal import Journal, change, retry_on_conflict
from ...paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from ...ports.clock import Clock
from ...ports.event_store import Change
from ...ports.listings import Equals, Query
from ...records.consent import ConsentRow
from .consents import Consents, Standing
from .views import ConsentView

# The numbers of one call (C-27).
MAX_RECIPIENTS = 1_000


@frozen(kw_only=True)
class ListChange:
    """The numbers that a call moved, and those that were there already; all spellings count once."""

    changed: int
    unchanged: int


class KeepingOptLists:
    """Moves numbers between the lists; one append for all of a call."""

    def __init__(self, journal: Journal, consents: Consents, lane: BulkLane, clock: Clock) -> None:
        self._journal = journal
        self._consents = consents
        self._lane = lane
        self._clock = clock

    async def put(self, by: Caller, opt_list: OptList, recipients: Sequence[str]) -> ListChange:
        """Put numbers on a list and take them off the other; on return, opt-outs are in force."""

        def decide(standing: Standing, now: datetime) -> Decision:
            command = PutOnList(
                at=now,
                account_id=by.account_id,
                channel=Channel.WHATSAPP,
                recipient=standing.recipient,
                opt_list=opt_list,
            )
            return consent.put(standing.state, command)

        return await self._change(by, recipients, decide)

    async def take_off(
        self, by: Caller, opt_list: OptList, recipients: Sequence[str]
    ) -> ListChange:
        """Take numbers off a list; numbers on no list or the other one do not change."""

        def decide(standing: Standing, now: datetime) -> Decision:
            return consent.take_off(standing.state, TakeOffList(at=now, opt_list=opt_list))

        return await self._change(by, recipients, decide)

    async def listed(
        self,
        account_id: str,
        opt_list: OptList,
        page_no: int = 0,
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> Sequence[ConsentView]:
        """Return one page of a list, counted from 0, of 100 at most: the newest entry first (C-59)."""
        query = Query(
            rows=ConsentRow,
            where=(
                Equals("account_id", account_id),
                Equals("channel", str(Channel.WHATSAPP)),
                Equals("opt_list", str(opt_list)),
            ),
            order_by="since",
            page=page_no + 1,
            page_size=min(limit, MAX_PAGE_SIZE),
        )
        return [ConsentView.of(row) for row in await self._journal.slice(query)]

    async def _change(
        self,
        by: Caller,
        recipients: Sequence[str],
        decide: Callable[[Standing, datetime], Decision],
    ) -> ListChange:
        async def attempt() -> ListChange:
            now = self._clock.now()
            work = self._lane.work(by.account_id)
            found = await self._consents.of(by.account_id, recipients, work)
            standings = {each.stream: each for each in found.values()}
            changes: list[Change] = []
            for stream, standing in standings.items():
                if (decision := decide(standing, now)).events:
                    changes.append(change(consent_decider, stream, standing.consent, decision))
                await work.pause()
            if changes:
                await self._journal.write(by, now, *changes, work=work, bounded=True)
            return ListChange(changed=len(changes), unchanged=len(standings) - len(changes))

        return await retry_on_conflict(attempt)
