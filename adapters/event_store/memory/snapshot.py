"""A copy of a store in memory, with the interface of a snapshot on disk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeVar

from attrs import frozen

from ....application.ports.event_store import Due
from ....application.ports.sealed_log import Head, KeptTile, RawEvent
from ....application.ports.sealer import SealKey
from ....application.ports.snapshot import (
    Flaw,
    Held,
    KeptAnswer,
    KeptDue,
    KeptEvent,
    KeptPerson,
    KeptPosition,
    KeptRow,
    KeptSeal,
    KeptTally,
    KeptUse,
    Placed,
)
from ....application.records.read_model import Row
from ...vault import Vault
from ..batch.facts import Facts
from .sealed_log import Kept

R = TypeVar("R", bound=Row)


@frozen
class MemorySnapshot:
    """The content of a store at one moment; later appends do not change it."""

    _events: Sequence[KeptEvent]
    _rows: Mapping[type[Row], Mapping[str, KeptRow[Any]]]
    _placed: Sequence[Placed]
    _facts: Facts
    _due: Sequence[Due]
    _seals: Sequence[SealKey]
    _settings: Mapping[str, str]
    _vault: Vault
    _sealed_log: Kept

    async def damage(self) -> Sequence[str]:
        """Return no damage: memory cannot be damaged."""
        return ()

    async def size(self) -> int:
        """Count the events."""
        return len(self._events)

    async def events(self, prefix: str = "") -> AsyncIterator[KeptEvent]:
        """Yield every event of the streams whose ids begin so, by stream and version."""
        for each in sorted(self._events, key=lambda each: (each.stream, each.version)):
            if each.stream.startswith(prefix):
                yield each

    async def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Yield every row of one read model, by key."""
        for _, row in sorted(self._rows.get(rows, {}).items(), key=itemgetter(0)):
            yield row

    async def holders(self) -> AsyncIterator[Held]:
        """Yield all holders with their subjects, in order of both."""
        held = [
            Held(holder, subject)
            for subject, holders in self._facts.holders.items()
            for holder in holders
        ]
        for each in sorted(held):
            yield each

    async def flaws(self) -> Sequence[Flaw]:
        """Return no flaws: memory has no schema that could differ."""
        return ()

    async def setting(self, name: str) -> str | None:
        """Return a setting; None if it is missing."""
        return self._settings.get(name)

    async def placed(self) -> AsyncIterator[Placed]:
        """Yield the place of every event, by position."""
        for each in self._placed:
            yield each

    async def uses(self) -> AsyncIterator[KeptUse]:
        """Yield every use, by subject and number."""
        for subject, uses in sorted(self._facts.uses.items()):
            for number, at in sorted(uses.times.items()):
                yield KeptUse(subject, number, at)

    async def tallies(self) -> AsyncIterator[KeptTally]:
        """Yield every tally, by subject and bucket."""
        for subject, tallies in sorted(self._facts.tallies.items(), key=itemgetter(0)):
            for bucket, (sent, verified) in sorted(tallies.buckets.items()):
                yield KeptTally(subject, bucket, sent, verified)

    async def due(self) -> AsyncIterator[KeptDue]:
        """Yield every due row, by stream, kind and number."""
        for each in sorted(
            KeptDue(due.stream, str(due.kind), due.number, due.at) for due in self._due
        ):
            yield each

    async def seals(self) -> AsyncIterator[KeptSeal]:
        """Yield all seal keys, by name."""
        for each in sorted(self._seals, key=lambda key: key.name):
            yield KeptSeal(each.name, self._vault.state_of(each))

    async def people(self) -> AsyncIterator[KeptPerson]:
        """Yield every person whose key the store has, by id."""
        for each in sorted(
            KeptPerson(
                person.person_id,
                person.account_id,
                person.hmac,
                self._vault.state_of(person.key),
                person.verified_at,
            )
            for person in self._facts.people.values()
        ):
            yield each

    async def answers(self) -> AsyncIterator[KeptAnswer]:
        """Yield every Idempotency-Key, by scope."""
        for scope, record in sorted(self._facts.keys.items()):
            yield KeptAnswer(scope, record.taken_at, record.answer)

    async def positions(self) -> AsyncIterator[KeptPosition]:
        """Yield every number that is not 0, by name."""
        for name, position in sorted(self._facts.positions.items()):
            if position:
                yield KeptPosition(name, position)

    async def raw_events(self) -> AsyncIterator[RawEvent]:
        """Yield every event as it is stored, by position."""
        for each in self._sealed_log.events:
            yield each

    async def tiles(self, level: int) -> AsyncIterator[KeptTile]:
        """Yield the tiles of a level, by index."""
        for each in self._sealed_log.tiles:
            if each.level == level:
                yield each

    async def heads(self) -> AsyncIterator[Head]:
        """Yield every head, by size."""
        for each in self._sealed_log.heads:
            yield each
