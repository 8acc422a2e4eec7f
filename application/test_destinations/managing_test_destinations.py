"""Manage the test destinations of accounts: set, list and remove them (C-79, C-103)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from itertools import count

from attrs import frozen

from ...domain import test_destination as tests
from ...domain.channel import PIN_CHANNELS
from ...domain.destination import require_reachable
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.pin import PinStatus
from ...domain.pin_template import pin_template_decider
from ...domain.pin_template.policy import PinPolicy
from ...domain.test_destination import (
    DestinationInUseError,
    TestDestinationNotFoundError,
    never_verified,
    test_destination_decider,
)
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..paging import MAX_PAGE_SIZE, Listed, Paging
from ..people.people import People
from ..ports.clock import Clock
from ..ports.event_store import PassMoved
from ..ports.listings import Equals, Missing, Query, of_account
from ..records.pin import VerificationRow
from ..records.pin_template import PinTemplateRow
from ..records.test_destination import (
    TestDestinationRow,
    test_destination_of,
    test_destination_row,
)
from .fixed_codes import FixedCodes, fits
from .noting import guard_change
from .removing import remove_test_destination
from .views import TestDestinationView

_NO_TEMPLATE = (
    "must have the length and the characters of the codes of a PIN template of the account"
)


@frozen
class PutTestDestination:
    """A test destination that was set; it is not `new` if it was one before."""

    view: TestDestinationView
    new: bool


class ManagingTestDestinations:
    """Sets and removes test destinations, each with the account's guard in one append."""

    def __init__(self, journal: Journal, people: People, codes: FixedCodes, clock: Clock) -> None:
        self._journal = journal
        self._people = people
        self._codes = codes
        self._clock = clock

    async def put(
        self, by: Caller, *, destination: str, code: str, until: datetime
    ) -> PutTestDestination:
        """
        Set a fixed code for a destination of the caller's account until a time; set again, it is revised.

        Raises `ValidationFailedError`, and `DestinationInUseError` for a destination that verified a
        code that was sent to it.
        """
        await self._check(by, destination, code, until)

        async def attempt() -> PutTestDestination:
            now = self._clock.now()
            found = await self._people.find_or_create(by.account_id, [destination])
            person = found[destination]
            stream = test_destination_of(person.person_id)
            loaded = None
            if not person.new_people:
                loaded = await self._journal.find(test_destination_decider, stream)
                await self._refuse_in_use(person.person_id)
            command = tests.SetTestDestination(
                at=now,
                account_id=by.account_id,
                person_id=person.person_id,
                destination=destination,
                until=until,
            )
            decision = tests.put(command)
            after = change(test_destination_decider, stream, loaded, decision)
            noted = await guard_change(self._journal, now, stream, after.state, until)
            try:
                await self._journal.write(
                    by,
                    now,
                    after,
                    *noted,
                    conditions=() if person.new_people else (never_verified(person.person_id),),
                    keeping=(self._codes.seal(stream, code),),
                    new_people=person.new_people,
                )
            except PassMoved:
                raise DestinationInUseError from None
            new = loaded is None or loaded.state.removed_at is not None
            row = test_destination_row(stream, after.state)
            return PutTestDestination(TestDestinationView.of(row), new)

        return await retry_on_conflict(attempt)

    async def list(self, account_id: str | None, paging: Paging) -> Listed[TestDestinationView]:
        """List test destinations, of one account or of all, the newest first; never their codes."""
        where = (*of_account(account_id), Missing("removed_at"))
        listed = await self._journal.listed(Query(rows=TestDestinationRow, where=where), paging)
        return listed.showing(TestDestinationView.of)

    async def remove(self, by: Caller, test_id: str) -> TestDestinationView:
        """Remove a test destination and its code; raises `TestDestinationNotFoundError`."""
        removed = await remove_test_destination(self._journal, by, self._clock, test_id)
        if removed is None:
            raise TestDestinationNotFoundError
        return TestDestinationView.of(test_destination_row(test_id, removed))

    async def _check(self, by: Caller, destination: str, code: str, until: datetime) -> None:
        """Raise `ValidationFailedError` with every wrong field."""
        problems: list[FieldProblem] = []
        try:
            require_reachable(destination, PIN_CHANNELS)
        except ValidationFailedError as refusal:
            problems += refusal.problems
        wrong = tests.until_problem(until, self._clock.now())
        if wrong is not None:
            problems.append(FieldProblem("until", wrong))
        if not await self._fits_any_template(by.account_id, code):
            problems.append(FieldProblem("code", _NO_TEMPLATE))
        if problems:
            raise ValidationFailedError(problems)

    async def _fits_any_template(self, account_id: str, code: str) -> bool:
        async for policy in self._policies(account_id):
            if fits(code, policy):
                return True
        return False

    async def _policies(self, account_id: str) -> AsyncIterator[PinPolicy]:
        """Yield the limits of the account's templates that are not archived."""
        where = (*of_account(account_id), Missing("archived_at"))
        for number in count(1):
            query = Query(rows=PinTemplateRow, where=where, page=number, page_size=MAX_PAGE_SIZE)
            page = await self._journal.slice(query)
            for each in page:
                yield (await self._journal.load(pin_template_decider, each.id)).state.policy
            if len(page) < MAX_PAGE_SIZE:
                return

    async def _refuse_in_use(self, person_id: str) -> None:
        """Raise `DestinationInUseError` if a code that was sent to a person was ever verified."""
        verified = Query(
            rows=VerificationRow,
            where=(
                Equals("person_id", person_id),
                Equals("status", str(PinStatus.VERIFIED)),
                Equals("test", value=False),
            ),
            page_size=1,
        )
        if await self._journal.slice(verified):
            raise DestinationInUseError
