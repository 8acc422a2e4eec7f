"""Put right what is kept beside streams, in appends without events (C-81, D-448, D-449)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from typing import Any

from attrs import define, field

from ...domain.conditions import Condition, Hold, Unchanged
from ..caller import Caller
from ..journal import Journal, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import (
    Due,
    DueKind,
    PersonGone,
    Recorded,
    Repair,
    StreamConflict,
    TallyCorrection,
)
from ..ports.person_keys import PersonKeys
from ..ports.snapshot import Held
from ..records import held_by, record_of, row_of
from ..records.read_model import Row
from ..stored_subjects import stored_subject
from .due_rows_and_seals import Wanted, wanted_due
from .found_repairs import Wrong

# Streams of one append.
AT_ONCE = 16
# A dispatch that is under way ends by then (D-11).
_ORPHANED_AFTER = timedelta(seconds=45)


@define
class _Plan:
    """The parts of an append that repairs some streams."""

    conditions: list[Condition] = field(factory=list)
    rows: list[Row] = field(factory=list)
    stray_rows: list[tuple[type[Row], str]] = field(factory=list)
    stray_holders: list[Held] = field(factory=list)
    due: list[Due] = field(factory=list)
    stray_due: list[tuple[str, str, int]] = field(factory=list)


class RepairingStreams:
    """
    Makes rows, holders and due rows of streams follow from their events again.

    Each append requires that its streams still have as many events as were read, so that it overwrites
    nothing that another append changed. A stream that goes on meanwhile is read anew.
    """

    def __init__(self, journal: Journal, keys: PersonKeys, clock: Clock) -> None:
        self._journal = journal
        self._keys = keys
        self._clock = clock

    async def repair(self, by: Caller, wrong: Sequence[Wrong]) -> None:
        """Put right what is wrong beside at most `AT_ONCE` streams; raises `UnavailableError`."""
        try:
            await self._write(by, wrong)
        except (StreamConflict, PersonGone):
            for each in wrong:
                await self._repair_alone(by, each)

    async def correct(
        self, by: Caller, guard: str, version: int, tallies: Sequence[TallyCorrection]
    ) -> None:
        """
        Add to tallies of an account, whatever its sends count meanwhile.

        If its guard went on, which may have released a subject, the tallies stay for the next rebuild.
        """
        with suppress(StreamConflict):
            await self._journal.write(
                by,
                self._clock.now(),
                conditions=(Unchanged(guard, version),),
                repair=Repair(tallies=tuple(tallies)),
            )

    async def _repair_alone(self, by: Caller, wrong: Wrong) -> None:
        await retry_on_conflict(lambda: self._write(by, (wrong,)))

    async def _write(self, by: Caller, wrong: Iterable[Wrong]) -> None:
        plan = _Plan()
        for each in wrong:
            events = await self._journal.read_stream(each.stream)
            self._add(plan, each, events, is_history=await self._is_history(each.stream, events))
        await self._journal.write(
            by,
            self._clock.now(),
            conditions=tuple(plan.conditions),
            due=tuple(plan.due),
            repair=Repair(
                rows=tuple(plan.rows),
                stray_rows=tuple(plan.stray_rows),
                stray_holders=tuple(plan.stray_holders),
                stray_due=tuple(plan.stray_due),
            ),
        )

    async def _is_history(self, stream: str, events: Sequence[Recorded]) -> bool:
        """Return whether retention took something of a stream, so that nothing is kept beside it (D-454)."""
        if not events:
            return False
        return await self._journal.find(record_of(events[0].event).decider, stream) is None

    def _add(
        self, plan: _Plan, wrong: Wrong, events: Sequence[Recorded], *, is_history: bool
    ) -> None:
        stream = wrong.stream
        plan.conditions.append(Unchanged(stream, events[-1].version if events else 0))
        row: Row | None = None
        held: Collection[str] = ()
        due: Sequence[Wanted] = ()
        if events and not is_history:
            decider = record_of(events[0].event).decider
            state: Any = decider.fold([each.event for each in events])
            row, held, due = row_of(stream, state), held_by(state), wanted_due(stream, state)
        for kind in wrong.rows:
            if row is not None and type(row) is kind:
                plan.rows.append(row)
            else:
                plan.stray_rows.append((kind, stream))
        self._add_holders(plan, wrong, held)
        self._add_due(plan, wrong, due)

    def _add_holders(self, plan: _Plan, wrong: Wrong, held: Collection[str]) -> None:
        wanted = {stored_subject(each, self._keys): each for each in held}
        for subject in wrong.subjects:
            if subject in wanted:
                plan.conditions.append(Hold(wanted[subject], wrong.stream))
            else:
                plan.stray_holders.append(Held(wrong.stream, subject))

    def _add_due(self, plan: _Plan, wrong: Wrong, due: Sequence[Wanted]) -> None:
        wanted = {(str(each.kind), each.number): each for each in due}
        for kind, number in wrong.due:
            if (known := wanted.get((kind, number))) is None:
                plan.stray_due.append((kind, wrong.stream, number))
                continue
            at = known.at
            if at is None:
                at = known.kind.now(self._clock)
                if known.kind is DueKind.ORPHANED_DISPATCH:
                    at += _ORPHANED_AFTER
            plan.due.append(Due(known.kind, wrong.stream, number, at))


def in_parts(wrong: Iterable[Wrong]) -> Iterable[Sequence[Wrong]]:
    """Yield what is wrong beside streams, as much as one append repairs."""
    these = iter(wrong)
    for first in these:
        yield (first, *islice(these, AT_ONCE - 1))
