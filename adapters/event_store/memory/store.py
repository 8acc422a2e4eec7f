"""The event store in memory, for tests and for embedders that need no durability."""

from __future__ import annotations

import time
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from copy import deepcopy
from datetime import datetime
from typing import Any, TypeVar

from ....application.ports.event_store import (
    Append,
    Due,
    DueKind,
    HeldByOthers,
    Loaded,
    PersonKnown,
    Recorded,
    Repair,
    Reservation,
)
from ....application.ports.sealer import SealKey
from ....application.ports.snapshot import Snapshot
from ....application.records.read_model import Row
from ....domain.decider import Decider
from ....domain.guard import guesses_of
from ...vault import Vault
from ..batch.due_watchers import DueAdded, DueWatchers
from ..batch.facts import Facts
from ..batch.idempotency import key_refusal
from ..batch.measuring import measured
from ..batch.settling import settle
from ..log.lines import is_pruned
from ..log.mapper import EventMapper, sealed_for
from ..log.stored_event import StoredEvent
from ..rows.erasing import is_of_provider
from ..rows.row_packing import owners_of, planned_rows, planned_whole
from ..sealing.hashed_subjects import HashedSubjects
from ..sealing.owner_keys import OwnerKeys
from .following import kept_positions
from .forgetting import MemoryForgetting
from .people import MemoryPeople
from .pruning import MemoryPruning
from .sealed_log import MemorySealedLog
from .snapshot import MemorySnapshot

S = TypeVar("S")


class MemoryEventStore(MemoryPruning, MemoryForgetting, MemoryPeople):
    """
    Keeps all data in this process, with events in stored form, so that it behaves as other stores do.

    Nothing survives the process. It serves one event loop and is not thread-safe.
    """

    def __init__(
        self, real_time: Callable[[], float] = time.time, *, vault: Vault | None = None
    ) -> None:
        self._facts = Facts()
        super().__init__(self._facts.living)
        self._seal_keys: dict[str, SealKey] = {}
        self._vault = Vault.random() if vault is None else vault
        self._mapper = EventMapper(self._vault)
        self._keys = OwnerKeys(self._vault, self)
        self._subjects = HashedSubjects(self._vault)
        self._real_time = real_time
        self._log: list[StoredEvent] = []
        self._streams: dict[str, list[int]] = {}
        self._due: dict[tuple[str, str, int], Due] = {}
        self._due_watchers = DueWatchers()
        self._settings: dict[str, str] = {}
        self.sealed_log = MemorySealedLog(self._log, self._streams)

    async def append(self, append: Append) -> Sequence[int]:
        """Write everything in `append`, or nothing."""
        given = append
        append = self._subjects.replaced(append)
        # Rows stay in clear, and yet are refused for an erased person.
        owners = owners_of(planned_rows(append, self._written))
        if append.repair is not None:
            owners |= owners_of(planned_whole(append.repair.rows, append.erased))
        events = self._mapper.planned(append)
        append = await self._keys.ready(append, owners | sealed_for(events))
        # From here on nothing may be awaited, so that each append sees those before it.
        stored = self._mapper.to_stored(events)
        self._facts.due = {each.key: self._due_at(each) for each in append.standing}
        (refusal,), _ = settle([measured(append, stored)], self._facts, self._real_time())
        if refusal is not None:
            if isinstance(refusal, PersonKnown):
                self._keys.learn(refusal.people)
            if isinstance(refusal, HeldByOthers):
                raise self._subjects.restored(refusal, given)
            raise refusal
        self._keys.erased(append.erasing)
        self._keys.dropped(append.dropping)
        positions = []
        for each in stored:
            self._log.append(each)
            positions.append(len(self._log))
            self._streams.setdefault(str(each.originator_id), []).append(len(self._log))
        self._put(append.rows)
        for due in append.due:
            self._due[due.key] = due
        for due in append.done:
            self._due.pop(due.key, None)
        if append.repair is not None:
            self._mend(append.repair)
        self._seal_keys.update((key.name, key) for key in append.keeping)
        for name in append.dropping:
            self._seal_keys.pop(name, None)
        self._due_watchers.notify_all(append.due)
        return positions

    def _mend(self, repair: Repair) -> None:
        self._put(repair.rows)
        self._remove(repair.stray_rows)
        for due in repair.stray_due:
            self._due.pop(due, None)

    def _due_at(self, asked: Due) -> datetime | None:
        kept = self._due.get(asked.key)
        return None if kept is None else kept.at

    def _written(self, key: str, version: int) -> Row | None:
        """Return the row that a version of a stream wrote, if it is the newest."""
        return self._row_under(key) if len(self._streams.get(key, ())) == version else None

    async def probe(self) -> None:
        """Do nothing: memory always accepts writes."""

    async def newest(self) -> int:
        """Return the position of the newest event."""
        return len(self._log)

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Rebuild an aggregate."""
        stored = [self._log[position - 1] for position in self._streams.get(stream, ())]
        if not stored or any(is_pruned(each.state) for each in stored):
            return None
        return Loaded(
            decider.fold(self._mapper.to_events(stored, self._keys_for(stored))), len(stored)
        )

    def recall(self, stream: str) -> Loaded[Any] | None:  # noqa: ARG002  all is in memory
        """Return None: a load is as fast."""
        return None

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise the refusal that taking this reservation would raise."""
        record = self._facts.keys.get(reservation.scope)
        refusal = key_refusal(record, reservation, now, self._real_time())
        if refusal is not None:
            raise refusal

    async def holders(self, subject: str) -> frozenset[str]:
        """Return the holders of a subject."""
        return frozenset(self._facts.holders.get(self._subjects.of(subject), ()))

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Return due rows, the earliest first."""
        found = [
            due for (name, _, _), due in self._due.items() if name == str(kind) and due.at <= until
        ]
        return sorted(found, key=lambda due: (due.at, due.stream, due.number))[:limit]

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of the earliest due row."""
        return min((due.at for due in self._due.values() if due.kind is kind), default=None)

    def watching_due(self, kind: DueKind, due_added: DueAdded) -> AbstractContextManager[None]:
        """Call `due_added` for new due rows while the block runs."""
        return self._due_watchers.watching(kind, due_added)

    def watching_log(self, _: Callable[[], None], /) -> AbstractContextManager[None]:
        """Do nothing: no other process appends."""
        return nullcontext()

    async def position(self, name: str) -> int:
        """Return the value of a number; 0 if it is missing."""
        return self._facts.positions.get(name, 0)

    async def erase_rows(self, person_id: str) -> int:
        """
        Drop a person's guesses, and the holders of provider ids.

        Return how many rows lost personal members.
        """
        guesses = guesses_of(person_id)
        for subject in [each for each in self._facts.tallies if each.startswith(guesses)]:
            del self._facts.tallies[subject]
        of_person, erased = self._erase(person_id)
        for subject, holders in self._facts.holders.items():
            if is_of_provider(subject):
                holders.difference_update(of_person)
        return erased

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return the events after a position."""
        return self._recorded(kept_positions(self._log, after, limit))

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Return all events of one stream."""
        return self._recorded(self._streams.get(stream, ()))

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return the actor of each stream's first event."""
        begun = {each: self._streams[each][0] for each in streams if self._streams.get(each)}
        return {
            stream: self._mapper.to_actor(self._log[position - 1].state)
            for stream, position in begun.items()
        }

    async def versions(self, streams: Collection[str]) -> Mapping[str, int]:
        """Return the number of events of each stream."""
        return {each: len(self._streams[each]) for each in streams if self._streams.get(each)}

    def forget_person(self, person_id: str) -> None:
        """Forget the person's key; this store caches no states."""
        self._keys.erased((person_id,))

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Yield a copy of the store for an audit."""
        log = [(each, self._log[each - 1]) for each in kept_positions(self._log, 0, len(self._log))]
        keys = self._keys_for([each for _, each in log])
        yield MemorySnapshot(
            [self._mapper.to_kept(each, number, keys) for number, each in log],
            self._kept_rows(),
            [
                self._mapper.to_placed(
                    number, each.originator_id, each.originator_version, each.state
                )
                for number, each in log
            ],
            deepcopy(self._facts),
            tuple(self._due.values()),
            tuple(self._seals().values()),
            dict(self._settings),
            self._vault,
            self.sealed_log.kept(),
        )

    def _seals(self) -> dict[str, SealKey]:
        """Return all seal keys; the vault of a store in memory may be the only one with its index secret."""
        index = self._vault.index_key
        return self._seal_keys if index is None else {index.name: index, **self._seal_keys}

    def _recorded(self, positions: Sequence[int]) -> list[Recorded]:
        found = [self._log[position - 1] for position in positions]
        keys = self._keys_for(found)
        return [
            self._mapper.to_recorded(stored, position, keys)
            for position, stored in zip(positions, found, strict=True)
        ]

    def _keys_for(self, stored: Sequence[StoredEvent]) -> Mapping[str, SealKey]:
        return self._keys_of(
            self._mapper.owners((str(each.originator_id), each.state) for each in stored)
        )

    async def setting(self, name: str) -> str | None:
        """Return a setting; None if it is missing."""
        return self._settings.get(name)

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Store a setting; with `only_new`, keep an existing value. Return the stored value."""
        if only_new:
            return self._settings.setdefault(name, value)
        self._settings[name] = value
        return value

    async def close(self) -> None:
        """Do nothing: the store holds no resources."""
