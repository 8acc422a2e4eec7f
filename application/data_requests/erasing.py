"""Erase a person: at once, for good, and with a certificate (C-74)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ...domain.destination import MAX_LENGTH
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import UNSTORABLE
from ...domain.person import ErasePerson, erase, person_decider
from ..caller import Caller
from ..errors import UnavailableError
from ..journal import Journal, beginning
from ..people.people import People
from ..ports.clock import Clock
from ..ports.erasures import ErasuresUnwritable
from ..ports.event_store import PersonGone, StreamConflict
from .certificate import KEPT, Certificate
from .counting import count
from .erasure_stages import first_due
from .finishing_erasures import FinishingErasures

# How long a caller waits for the work after the first append.
PATIENCE_SECONDS = 8.0


class ErasingPeople:
    """
    Erases people: the first append takes the key, and nothing opens what was sealed under it.

    The same append leaves a due row for what follows, so that the worker finishes what a crash
    interrupts.
    """

    def __init__(
        self, journal: Journal, people: People, finishing: FinishingErasures, clock: Clock
    ) -> None:
        self._journal = journal
        self._people = people
        self._finishing = finishing
        self._clock = clock

    async def erase(self, by: Caller, destination: str, *, dry_run: bool = False) -> Certificate:
        """
        Erase the person of a destination in the caller's account, and wait a while for the end.

        With `dry_run`, only count. An unknown person is no error: there is nothing to erase. Raises
        `ValidationFailedError` and `UnavailableError`.
        """
        person_id = await find(self._people, by.account_id, destination)
        if person_id is None:
            return await self._of_unknown(by)
        if dry_run:
            counts = await count(self._journal, person_id)
            return Certificate(erased=False, person_id=person_id, counts=counts, kept=KEPT)
        if not await self._begin(by, person_id):
            # Another call was faster, and has the certificate.
            return await self._of_unknown(by)
        finished = await self._finish(by, person_id)
        return Certificate(
            erased=True,
            person_id=person_id,
            position=(await self._journal.read_stream(person_id))[0].position,
            counts=await count(self._journal, person_id),
            kept=KEPT,
            finished=finished,
        )

    async def _begin(self, by: Caller, person_id: str) -> bool:
        """Take the person's key; return False if the person was erased meanwhile."""
        now = self._clock.now()
        decision = erase(ErasePerson(at=now, account_id=by.account_id))
        try:
            await self._journal.write(
                by,
                now,
                beginning(person_decider, person_id, decision),
                erasing=(person_id,),
                due=first_due(person_id, now),
            )
        except (PersonGone, StreamConflict):
            # The stream of a person has no other event than the erasure.
            return False
        return True

    async def _finish(self, by: Caller, person_id: str) -> bool:
        # The worker finishes what takes longer, or fails, and reports the failure.
        with suppress(TimeoutError, UnavailableError, ErasuresUnwritable):
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._finishing.finish(by, person_id)
        return False

    async def _of_unknown(self, by: Caller) -> Certificate:
        unfinished = await self._finishing.unfinished(by.account_id)
        return Certificate(erased=False, finished=not unfinished)


async def find(people: People, account_id: str, destination: str) -> str | None:
    """Return the person of a destination; raises `ValidationFailedError` for no destination."""
    # An embedder's text can be one that no store keeps; its HMAC would fail with the text in the error.
    if not 1 <= len(destination) <= MAX_LENGTH or UNSTORABLE.search(destination):
        raise ValidationFailedError(
            [FieldProblem("destination", f"must have 1 to {MAX_LENGTH} characters")]
        )
    return await people.find(account_id, destination)
