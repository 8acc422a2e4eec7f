"""Record what the guard refused and flagged, once its minute has ended (guard.md section 1, D-395)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

import attrs

from ...domain.guard import (
    OTHER,
    SendsFlagged,
    SendsRefused,
    Verdict,
    count_decisions,
    counted_decision_decider,
)
from ..caller import WORKER, Caller
from ..errors import UnavailableError
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.event_store import Change, PersonGone, StreamConflict
from ..ports.randomness import Randomness
from ..ports.sealer import SealKeyMissingError
from .counted_decisions import Counted, CountedDecisions

# Few enough events for a moment of the event loop.
AT_ONCE = 32


class RecordingDecisions:
    """
    Puts the counts of this process on the log, each once; every process does, with due work or without.

    What cannot be recorded now is kept and tried again. A count whose append was made although its answer
    was lost is found by its stream, and not made again.
    """

    kind = None

    def __init__(
        self, journal: Journal, decisions: CountedDecisions, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._decisions = decisions
        self._randomness = randomness
        self._clock = clock

    async def run_due(self) -> int:
        """Record what was counted in minutes that have ended; return how many counts there were."""
        return await self._record(self._decisions.ended())

    async def end(self) -> None:
        """Record everything that can be recorded, because the service ends."""
        with suppress(UnavailableError, SealKeyMissingError):
            await self._record(self._decisions.ended(with_this_minute=True))

    async def _record(self, counted: Sequence[Counted]) -> int:
        """Record counts; those that this node cannot seal hold up no others, and are raised at the end."""
        by = Caller("", WORKER, self._randomness.new_id("req"))
        failure: SealKeyMissingError | None = None
        for first in range(0, len(counted), AT_ONCE):
            some = counted[first : first + AT_ONCE]
            try:
                await self._write(by, some)
            except SealKeyMissingError as error:
                failure = error
            else:
                self._decisions.recorded(some)
        if failure is not None:
            raise failure
        return len(counted)

    async def _write(self, by: Caller, counted: Sequence[Counted]) -> None:
        """Write some counts; that of a person who was erased meanwhile no longer says whose it is."""
        left = counted
        while left:
            now = self._clock.now()
            try:
                await self._journal.write(by, now, *(_change(each, now) for each in left))
            except StreamConflict as conflict:
                left = [each for each in left if each.id != conflict.stream]
            except PersonGone as gone:
                left = [_without(gone.person_id, each) for each in left]
            else:
                return


def _without(person_id: str, counted: Counted) -> Counted:
    if counted.subject.person_id != person_id:
        return counted
    # Statistics go by the country, which names nobody.
    return attrs.evolve(counted, subject=OTHER._replace(country=counted.subject.country))


def _change(counted: Counted, at: datetime) -> Change:
    kind = SendsRefused if counted.verdict is Verdict.REFUSED else SendsFlagged
    event = kind(
        at=at,
        account_id=counted.account_id,
        person_id=counted.subject.person_id,
        rule=counted.rule,
        subject=counted.subject.shown,
        country=counted.subject.country,
        limit=counted.limit,
        since=counted.since,
        until=counted.until,
        count=counted.count,
    )
    return beginning(counted_decision_decider, counted.id, count_decisions(event))
