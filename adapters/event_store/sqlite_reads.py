"""What a SQLite file answers: the reading half of the event store's port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, TypeVar

import msgspec
from eventsourcing.persistence import StoredEvent
from sqlalchemy.dialects import sqlite as dialect

from ...application.ports.event_store import Due, DueKind, Loaded, Recorded, Reservation
from ...application.ports.listings import Page, Query
from ...application.ports.sealer import SealKey
from ...application.ports.snapshot import Snapshot
from ...application.read_models.rows import Row
from ...domain.decider import Decider
from .gathered_loads import GatheredLoads, Wanted
from .list_queries import Statement, page_statement, total_statement
from .mapper import EventMapper, UnreadableEvent
from .query_shapes import shaped
from .reader_threads import ReaderThreads
from .settling import key_refusal
from .sqlite_batch import KEY, key_record
from .sqlite_recorder import BatchRecorder
from .sqlite_snapshot import SqliteSnapshot
from .tables import ROW_TABLES, RowTable, time_text

Making = Callable[[Query[Any], RowTable[Any]], Statement]
S = TypeVar("S")
R = TypeVar("R", bound=Row)

# Both are one seek in the index `due_by_time`, whatever waits.
DUE = (
    "SELECT stream, number, at FROM due WHERE kind = ? AND at <= ?"
    " ORDER BY at, stream, number LIMIT ?"
)
STREAMS = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events"
    " WHERE originator_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2"
)
NEXT_DUE = "SELECT min(at) FROM due WHERE kind = ?"


class SqliteReads:
    """Reads on a few threads; nothing here writes."""

    def __init__(self, recorder: BatchRecorder, real_time: Callable[[], float]) -> None:
        self._recorder = recorder
        self._real_time = real_time
        self._mapper = EventMapper()
        self._readers = ReaderThreads()
        self._loads = GatheredLoads(self._readers, self._load)

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """Rebuild an aggregate."""
        return await self._loads.load(decider, stream)

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise what taking this reservation would raise."""
        rows = await self._select(f"{KEY} WHERE scope = ?", (reservation.scope,))
        record = key_record(tuple(rows[0])) if rows else None
        refusal = key_refusal(record, reservation, now, self._real_time())
        if refusal is not None:
            raise refusal

    async def holders(self, subject: str) -> frozenset[str]:
        """Give who holds a subject."""
        rows = await self._select("SELECT holder FROM holders WHERE subject = ?", (subject,))
        return frozenset(row[0] for row in rows)

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Give what is due, the earliest first."""
        rows = await self._select(DUE, (str(kind), time_text(until), limit))
        return [Due(kind, row[0], row[1], datetime.fromisoformat(row[2])) for row in rows]

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Give the time of the earliest due row."""
        ((at,),) = await self._select(NEXT_DUE, (str(kind),))
        return None if at is None else datetime.fromisoformat(at)

    async def seal_key(self, name: str) -> SealKey | None:
        """Give a seal key."""
        rows = await self._select(
            "SELECT name, version, wrapped FROM seal_keys WHERE name = ?", (name,)
        )
        return SealKey(*rows[0]) if rows else None

    async def seals_under(self, version: int) -> bool:
        """Look for a seal key of this version."""
        return bool(
            await self._select("SELECT 1 FROM seal_keys WHERE version = ? LIMIT 1", (version,))
        )

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Give the events behind a position, in commit order."""

        def read() -> list[Recorded]:
            found = self._recorder.select_notifications(
                max(after, 0), limit, inclusive_of_start=False
            )
            return [self._mapper.to_recorded(each, each.id) for each in found]

        return await self._readers.run(read)

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Give all events of one stream, in order."""

        def read() -> list[Recorded]:
            events = self._recorder.select_events(stream)
            positions = self._fetch(
                "SELECT rowid FROM stored_events WHERE originator_id = ?"
                " ORDER BY originator_version LIMIT ?",
                (stream, len(events)),
            )
            return [
                self._mapper.to_recorded(each, row[0])
                for each, row in zip(events, positions, strict=True)
            ]

        return await self._readers.run(read)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Hold one read transaction, which sees nothing that is written later."""
        transaction = self._recorder.datastore.transaction(commit=False)
        # Nobody's request waits for it, and to look through a large file takes its time.
        read = partial(self._readers.run, patience=None)
        cursor = await read(transaction.__enter__)
        try:
            # SQLite takes the snapshot at the first read.
            await read(cursor.execute, "SELECT count(*) FROM settings")
            yield SqliteSnapshot(cursor.sqlite_cursor.connection, read, self._mapper)
        finally:
            await asyncio.to_thread(transaction.__exit__, None, None, None)

    async def setting(self, name: str) -> str | None:
        """Give a small value."""
        rows = await self._select("SELECT value FROM settings WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    async def page(self, query: Query[R]) -> Page[R]:
        """Give one page of a list."""

        def read() -> Page[R]:
            ((total,),) = self._fetch(*asked(total_statement, query))
            return Page(self._slice(query), total)

        return await self._readers.run(read)

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Give one page, uncounted."""
        return await self._readers.run(self._slice, query)

    async def row(self, rows: type[R], key: str) -> R | None:
        """Give one row."""
        return (await self.rows(rows, (key,))).get(key)

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Give several rows."""
        table = ROW_TABLES[rows]
        wanted = msgspec.json.encode(list(keys)).decode()
        found = [table.decode(tuple(each)) for each in await self._select(by_key(table), (wanted,))]
        return {table.key_of(row): row for row in found}

    def _load(self, wanted: Sequence[Wanted]) -> list[Loaded[Any] | Exception]:
        streams = msgspec.json.encode([stream for _, stream in wanted]).decode()
        stored: dict[str, list[StoredEvent]] = {stream: [] for _, stream in wanted}
        for row in self._fetch(STREAMS, (streams,)):
            stored[row[0]].append(StoredEvent(*row))
        return [self._folded(decider, stored[stream]) for decider, stream in wanted]

    def _folded(
        self, decider: Decider[S], stored: Sequence[StoredEvent]
    ) -> Loaded[S] | UnreadableEvent:
        try:
            return Loaded(decider.fold(self._mapper.to_events(stored)), len(stored))
        except UnreadableEvent as unreadable:
            return unreadable

    def _slice(self, query: Query[R]) -> list[R]:
        decode = ROW_TABLES[query.rows].decode
        return [decode(tuple(row)) for row in self._fetch(*asked(page_statement, query))]

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self._recorder.datastore.transaction(commit=False) as cursor:
            cursor.execute(statement, parameters)
            return list(cursor.fetchall())

    async def _select(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        return await self._readers.run(self._fetch, statement, parameters)


def by_key(table: RowTable[Any]) -> str:
    """Give the statement for the rows of a list of keys; one text, however many they are."""
    columns = ", ".join(table.table.columns.keys())
    wanted = "SELECT value FROM json_each(?)"
    return f"SELECT {columns} FROM {table.name} WHERE {table.key} IN ({wanted})"


def asked(make: Making, query: Query[Any]) -> tuple[str, Sequence[Any]]:
    """Give what is asked for a query as SQLite takes it: a statement and its values."""
    shape, values = shaped(query)
    text, names = _compiled(make, shape)
    return text, [values[name] for name in names]


@lru_cache(maxsize=512)
def _compiled(make: Making, shape: Query[Any]) -> tuple[str, tuple[str, ...]]:
    """Give a statement and the names of its values, in order."""
    made = make(shape, ROW_TABLES[shape.rows]).compile(dialect=dialect.dialect())
    return str(made), tuple(made.positiontup or ())
