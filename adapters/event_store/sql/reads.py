"""The reading half of the event store's port on SQL, on its own threads."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from ....application.ports.event_store import Due, DueKind, Loaded, Recorded, Reservation
from ....application.ports.listings import Page, Query, Sum, Totals
from ....application.ports.sealer import SealKey
from ....application.records.read_model import Row
from ....domain.decider import Decider
from ...vault import Vault
from ..batch.idempotency import KeyRecord, key_refusal
from ..log.lines import is_pruned
from ..log.mapper import EventMapper, UnreadableEvent
from ..log.stored_event import StoredEvent
from ..rows.row_opening import RowOpening
from ..rows.time_text import time_text
from ..sealing.hashed_subjects import HashedSubjects
from .dialect import SqlDialect
from .list_reads import ListReads
from .outline_reads import OutlineReads
from .store_threads import StoreThreads
from .totals import totals_asked, totals_in

# A stream to load, after its decider.
Wanted = tuple[Decider[Any], str]
S = TypeVar("S")
R = TypeVar("R", bound=Row)

# Each is one seek in the index `due_by_time`, however many rows wait.
DUE = (
    "SELECT stream, number, at FROM due WHERE kind = ? AND at <= ?"
    " ORDER BY at, stream, number LIMIT ?"
)
NEXT_DUE = "SELECT min(at) FROM due WHERE kind = ?"


class SqlReads(OutlineReads):
    """
    Reads on a few threads. Statements use `?` as placeholder.

    Each store implements `load`; `_folds` rebuilds the states from the rows that it read.
    """

    def __init__(self, dialect: SqlDialect, vault: Vault) -> None:
        self._dialect = dialect
        self._vault = vault
        self._mapper = EventMapper(vault)
        self._subjects = HashedSubjects(vault)
        self._readers = StoreThreads()
        self._opening = RowOpening(vault, self._keys_of)
        self._lists = ListReads(dialect, self._fetch, vault, self._opening)

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return the events after a position, in commit order."""
        position = self._dialect.position
        return await self._readers.run(
            self._recorded, f"{position} > ? ORDER BY {position} LIMIT ?", (max(after, 0), limit)
        )

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Return all events of one stream, in order."""
        return await self._readers.run(
            self._recorded, "originator_id = ? ORDER BY originator_version", (stream,)
        )

    async def newest(self) -> int:
        """Return the position of the newest event."""
        ((position,),) = await self._select(
            f"SELECT max({self._dialect.position}) FROM stored_events", ()
        )
        return position or 0

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return the actor of each stream's first event."""
        rows = await self._select(
            "SELECT originator_id, state FROM stored_events"
            f" WHERE originator_version = 1 AND originator_id IN ({self._dialect.items})",
            (self._dialect.pack(streams),),
        )
        return {stream: self._mapper.to_actor(bytes(state)) for stream, state in rows}

    async def versions(self, streams: Collection[str]) -> Mapping[str, int]:
        """Return the number of events of each stream."""
        rows = await self._select(
            "SELECT originator_id, max(originator_version) FROM stored_events"
            f" WHERE originator_id IN ({self._dialect.items}) GROUP BY originator_id",
            (self._dialect.pack(streams),),
        )
        return {stream: int(version) for stream, version in rows}

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise the refusal that taking this reservation would raise."""
        record, real_now = await self._readers.run(self._key, reservation.scope)
        refusal = key_refusal(record, reservation, now, real_now)
        if refusal is not None:
            raise refusal

    async def holders(self, subject: str) -> frozenset[str]:
        """Return the holders of a subject."""
        stored = self._subjects.of(subject)
        rows = await self._select("SELECT holder FROM holders WHERE subject = ?", (stored,))
        return frozenset(row[0] for row in rows)

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Return due rows, the earliest first."""
        rows = await self._select(DUE, (str(kind), time_text(until), limit))
        return [Due(kind, row[0], row[1], datetime.fromisoformat(row[2])) for row in rows]

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of the earliest due row."""
        ((at,),) = await self._select(NEXT_DUE, (str(kind),))
        return None if at is None else datetime.fromisoformat(at)

    async def position(self, name: str) -> int:
        """Return the value of a checkpoint."""
        rows = await self._select("SELECT position FROM positions WHERE name = ?", (name,))
        return int(rows[0][0]) if rows else 0

    async def setting(self, name: str) -> str | None:
        """Return the value of a setting."""
        rows = await self._select("SELECT value FROM settings WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    async def page(self, query: Query[R]) -> Page[R]:
        """Return one page of a list."""
        return await self._readers.run(self._lists.page, query)

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return one page without counting the list."""
        return await self._readers.run(self._lists.slice, query)

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return one row."""
        return (await self.rows(rows, (key,))).get(key)

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return several rows."""
        return await self._readers.run(self._lists.by_key, rows, self._dialect.pack(keys))

    async def totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        """Return sums over rows and a checkpoint's number, all of one moment."""
        return await self._readers.run(self._totals, position, sums, most)

    def _totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        # Tens of thousands of rows are read on the thread, too.
        return totals_in(self._fetch(*totals_asked(position, sums, most)), sums, most)

    @abstractmethod
    def _key(self, scope: str) -> tuple[KeyRecord | None, float]:
        """Return an Idempotency-Key, and the real time to compare its lease with."""

    def _recorded(self, which: str, parameters: Sequence[Any]) -> list[Recorded]:
        rows = self._fetch(
            f"SELECT {self._dialect.position}, originator_id, originator_version, topic, state"
            f" FROM stored_events WHERE {which}",
            parameters,
        )
        keys = self._keys_of(self._mapper.owners((stream, state) for _, stream, *_, state in rows))
        return [
            self._mapper.to_recorded(StoredEvent(*event), position, keys)
            for position, *event in rows
        ]

    def _folds(
        self, wanted: Sequence[Wanted], events: Iterable[Sequence[Any]], keys: Mapping[str, SealKey]
    ) -> list[Loaded[Any] | Exception | None]:
        stored: dict[str, list[StoredEvent]] = {stream: [] for _, stream in wanted}
        for row in events:
            stored[row[0]].append(StoredEvent(*row))
        deciders = {stream: decider for decider, stream in wanted}
        # Fold each stream once: many loads want the same template.
        folded = {
            stream: self._folded(decider, stored[stream], keys)
            for stream, decider in deciders.items()
        }
        return [folded[stream] for _, stream in wanted]

    def _folded(
        self, decider: Decider[S], stored: Sequence[StoredEvent], keys: Mapping[str, SealKey]
    ) -> Loaded[S] | UnreadableEvent | None:
        if not stored or any(is_pruned(each.state) for each in stored):
            return None
        try:
            return Loaded(decider.fold(self._mapper.to_events(stored, keys)), len(stored))
        except UnreadableEvent as unreadable:
            return unreadable
