"""Manage the WhatsApp opt-in and opt-out lists of accounts (SPEC C, C-27)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from attrs import frozen

from ....domain import consent
from ....domain.channel import Channel
from ....domain.conditions import PersonLives
from ....domain.consent import OptList, PutOnList, TakeOffList, consent_decider
from ....domain.decider import Decision
from ...caller import Caller
from ...concurrency.bulk_lane import BulkLane, BulkWork
from ...journal import Journal, change, retry_on_conflict
from ...paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from ...people.people import People, PersonRef, new_people_of
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

    def __init__(
        self,
        journal: Journal,
        consents: Consents,
        people: People,
        lane: BulkLane,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._consents = consents
        self._people = people
        self._lane = lane
        self._clock = clock

    async def put(self, by: Caller, opt_list: OptList, recipients: Sequence[str]) -> ListChange:
        """Put numbers on a list and take them off the other; on return, opt-outs are in force."""

        async def attempt() -> ListChange:
            now, work = self._clock.now(), self._lane.work(by.account_id)
            standings = await self._standings(by, recipients, work)
            people = await self._people.find_or_create(
                by.account_id, [each.recipient for each in standings], work
            )

            def decide(standing: Standing) -> Decision:
                command = PutOnList(
                    at=now,
                    account_id=by.account_id,
                    person_id=people[standing.recipient].person_id,
                    channel=Channel.WHATSAPP,
                    recipient=standing.recipient,
                    opt_list=opt_list,
                )
                return consent.put(standing.state, command)

            return await self._moved(by, now, standings, decide, work, people.values())

        return await retry_on_conflict(attempt)

    async def take_off(
        self, by: Caller, opt_list: OptList, recipients: Sequence[str]
    ) -> ListChange:
        """Take numbers off a list; numbers on no list or the other one do not change."""

        async def attempt() -> ListChange:
            now, work = self._clock.now(), self._lane.work(by.account_id)
            command = TakeOffList(at=now, opt_list=opt_list)
            return await self._moved(
                by,
                now,
                await self._standings(by, recipients, work),
                lambda standing: consent.take_off(standing.state, command),
                work,
            )

        return await retry_on_conflict(attempt)

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

    async def _standings(
        self, by: Caller, recipients: Sequence[str], work: BulkWork
    ) -> Sequence[Standing]:
        found = await self._consents.of(by.account_id, recipients, work)
        return [*{each.stream: each for each in found.values()}.values()]

    async def _moved(
        self,
        by: Caller,
        now: datetime,
        standings: Sequence[Standing],
        decide: Callable[[Standing], Decision],
        work: BulkWork,
        people: Iterable[PersonRef] = (),
    ) -> ListChange:
        """Write the decisions on numbers; of `people`, those count whose number moves."""
        changes: list[Change] = []
        for standing in standings:
            if (decision := decide(standing)).events:
                changes.append(change(consent_decider, standing.stream, standing.consent, decision))
            await work.pause()
        if changes:
            moved = {each.state.person_id for each in changes}
            concerned = [each for each in people if each.person_id in moved]
            await self._journal.write(
                by,
                now,
                *changes,
                work=work,
                bounded=True,
                # A number whose person was erased is listed for the new person (D-337).
                conditions=tuple(
                    PersonLives(each.person_id) for each in concerned if not each.new_people
                ),
                new_people=new_people_of(concerned),
            )
        return ListChange(changed=len(changes), unchanged=len(standings) - len(changes))
