"""Finish erasures: end what would still happen, erase rows, and scrub the store's files (C-74)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from ...domain.person import person_decider
from ..caller import THE_WORKER, WORKER, Caller
from ..due_work import handle_due
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.erasures import Erasures
from ..ports.event_store import Due, DueKind
from ..ports.randomness import Randomness
from .ending_pending_work import EndingPendingWork
from .erasure_stages import END, FORGET, FORGOTTEN_WITHIN, SCRUB

# A reader holds the write-ahead log for as long as it reads.
_SCRUB_AGAIN = timedelta(seconds=1)
_MOST = 10_000


class FinishingErasures:
    """
    Does what is left of an erasure after its first append; it can begin again at any time.

    Each node finds the due rows of new erasures, also before their time, and forgets the person. The
    row `FORGET` waits until every node has polled, and no call about the person is in flight any more.
    """

    kind = DueKind.ERASURE

    def __init__(
        self, journal: Journal, erasures: Erasures | None, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._erasures = erasures
        self._randomness = randomness
        self._clock = clock
        self._ending = EndingPendingWork(journal, clock)
        self._forgotten: set[str] = set()

    async def run_due(self) -> int:
        """Forget the people of new erasures, and do the due work; return how many rows were due."""
        await self._forget_everywhere()
        return await handle_due(self._journal, self._clock, self.kind, self._handle)

    async def finish(self, by: Caller, person_id: str) -> bool:
        """End everything, and scrub; return False if a reader prevents that for now."""
        await self._end(by, person_id)
        return await self._scrub(by, person_id)

    async def unfinished(self, account_id: str) -> bool:
        """Return whether an erasure of the account is not finished."""
        for due in await self._waiting():
            if due.number != FORGET:
                erased = await self._journal.recall(person_decider, due.stream)
                if erased.state.account_id == account_id:
                    return True
        return False

    async def _handle(self, due: Due) -> None:
        if due.number == FORGET:
            # The answers of calls that were in flight at the time of the erasure.
            forgotten = await self._forget_answers(due.stream)
            # The write-ahead log still has the bytes of what was deleted.
            again = (Due(self.kind, due.stream, SCRUB, due.at),) if forgotten else ()
            await self._done(due, *again)
            return
        erased = await self._journal.load(person_decider, due.stream)
        by = Caller(erased.state.account_id, WORKER, self._randomness.new_id("req"))
        if due.number == END:
            await self._end(by, due.stream)
        await self._scrub(by, due.stream)

    async def _end(self, by: Caller, person_id: str) -> None:
        self._journal.forget_person(person_id)
        erased = await self._journal.load(person_decider, person_id)
        if self._erasures is not None:
            await self._erasures.note(person_id, erased.state.created_at)
        await self._ending.end(by, person_id)
        await self._forget_answers(person_id)
        while await self._journal.erase_rows(person_id):
            pass
        now = self._clock.now()
        await self._journal.write(
            by,
            now,
            due=(Due(self.kind, person_id, SCRUB, now + _SCRUB_AGAIN),),
            done=(Due(self.kind, person_id, END, now),),
        )

    async def _forget_answers(self, person_id: str) -> bool:
        """Forget saved answers about a person; return whether there were any."""
        forgotten = False
        while await self._journal.forget_answers_about(person_id):
            forgotten = True
        return forgotten

    async def _scrub(self, by: Caller, person_id: str) -> bool:
        now = self._clock.now()
        row = Due(self.kind, person_id, SCRUB, now + _SCRUB_AGAIN)
        if await self._journal.scrub():
            await self._journal.write(by, now, done=(row,))
            return True
        await self._journal.write(by, now, due=(row,))
        return False

    async def _forget_everywhere(self) -> None:
        # Once when an erasure is new, and once more when all that was in flight then has ended.
        waiting = {each.stream for each in await self._waiting()}
        for person_id in waiting ^ self._forgotten:
            self._journal.forget_person(person_id)
        self._forgotten = waiting

    async def _waiting(self) -> Sequence[Due]:
        now = self._clock.now()
        return await self._journal.due(self.kind, now + FORGOTTEN_WITHIN, _MOST)

    async def _done(self, due: Due, *further: Due) -> None:
        await self._journal.write(THE_WORKER, self._clock.now(), due=further, done=(due,))
