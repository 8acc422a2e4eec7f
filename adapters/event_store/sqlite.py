"""The event store in one SQLite file: for one machine and one process, durable and fast."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from eventsourcing.persistence import PersistenceError
from sqlalchemy import Select
from sqlalchemy.dialects import sqlite as dialect

from ...application.ports.event_store import (
    Append,
    Due,
    DueKind,
    Loaded,
    Recorded,
    Reservation,
    StoreUnavailable,
    StreamConflict,
)
from ...application.ports.listings import Page, Query
from ...application.ports.snapshot import Snapshot
from ...application.read_models.rows import Row
from ...domain.decider import Decider
from .group_commit import ANSWER_SECONDS, GroupCommit
from .list_queries import page_statement, total_statement
from .mapper import EventMapper
from .owner_lock import OwnerLock
from .recent_states import RecentStates
from .settling import key_refusal
from .sqlite_batch import KEY, PackedAppend, key_record
from .sqlite_commit import commit, reason_of
from .sqlite_recorder import BatchRecorder, DurableDatastore, database_uri
from .sqlite_snapshot import SqliteSnapshot
from .tables import ROW_TABLES, SCHEMA_VERSION, row_values, time_text
from .writer_process import WriterProcess
from .writer_thread import WriterThread

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R", bound=Row)

READERS = 4
MAX_WAITING_READS = 4096
# Few enough that no write waits long behind them.
FORGET_AT_ONCE = 500
_SCHEMA = "schema"


class SqliteEventStore:
    """
    Group commits by one writer, reads on a few threads; nothing blocks the event loop.

    This process owns the file while the store is open, so the states of the streams used last may
    be kept in memory. With `read_only` it owns nothing and stands beside a running service.
    """

    def __init__(self, path: Path, *, read_only: bool, real_time: Callable[[], float]) -> None:
        if read_only and not path.exists():
            raise StoreUnavailable(f"There is no store at {path}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "ro" if read_only else "rwc"
        self._lock = None if read_only else OwnerLock(path)
        if not read_only:
            # Destinations and hashes are in it; SQLite gives its other files the same mode.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._recorder = BatchRecorder(
            DurableDatastore(database_uri(path, mode), read_only=read_only)
        )
        self._path = path
        self._mapper = EventMapper()
        self._real_time = real_time
        self._recent = RecentStates(0) if read_only else RecentStates()
        self._readers = ThreadPoolExecutor(READERS, "watchword-reader")
        self._reading = 0
        self._closed = False
        self._writer: GroupCommit[PackedAppend, Sequence[int]] | None = None

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        writer_process: bool = False,
        real_time: Callable[[], float] = time.time,
        wrote: Sequence[Callable[[int, float], None]] = (),
    ) -> SqliteEventStore:
        """
        Open the file, making it and its tables when they are missing.

        With `writer_process` the writer is a process of its own: faster, and for services that own
        their process; else it is a thread. `wrote` are
        told of every commit: its appends and its seconds.

        Raises `StoreInUse` when another process owns it, `StoreUnavailable` when it cannot be
        opened, is not durable, or was written by a newer release.
        """
        try:
            store = await asyncio.to_thread(cls, path, read_only=read_only, real_time=real_time)
        except OSError as error:
            raise StoreUnavailable(
                f"The store {path} cannot be opened: {error.strerror}."
            ) from error
        try:
            if not read_only:
                await store._read(store._recorder.create_table, patience=None)
                await store._read(store._end_leases, patience=None)
                store._writer = await store._start_writer(apart=writer_process, wrote=wrote)
                await store.keep_setting(_SCHEMA, str(SCHEMA_VERSION), only_new=True)
            schema = await store.setting(_SCHEMA)
        except BaseException:
            await store.close()
            raise
        if schema is None or int(schema) > SCHEMA_VERSION:
            await store.close()
            raise StoreUnavailable(f"The store {path} belongs to another release of Watchword.")
        return store

    @property
    def waiting(self) -> int:
        """How many appends wait for their commit."""
        return self._writer.waiting if self._writer is not None else 0

    async def append(self, append: Append) -> Sequence[int]:
        """Write everything in `append`, or nothing; it has reached the disk on return."""
        if self._writer is None:
            raise StoreUnavailable("This store takes no writes: it is closed, or read only.")
        packed = PackedAppend(
            append,
            tuple(self._mapper.to_stored(append)),
            tuple(row_values(row) for row in append.rows),
        )
        try:
            return await self._writer.submit(packed)
        except StreamConflict as conflict:
            self._recent.forget(conflict.stream)
            raise

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """Rebuild an aggregate, or take it from memory."""
        known = self._recent.get(stream)
        if known is not None:
            return known
        with self._recent.loading(stream) as keep:
            loaded = await self._read(self._load, decider, stream)
            keep(loaded)
        return loaded

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise what taking this reservation would raise."""
        rows = await self._select(
            f"{KEY} WHERE scope = ?",
            (reservation.scope,),
        )
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
        rows = await self._select(
            "SELECT stream, number, at FROM due WHERE kind = ? AND at <= ?"
            " ORDER BY at, stream, number LIMIT ?",
            (str(kind), time_text(until), limit),
        )
        return [Due(kind, row[0], row[1], datetime.fromisoformat(row[2])) for row in rows]

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Give the events behind a position, in commit order."""

        def read() -> list[Recorded]:
            found = self._recorder.select_notifications(
                max(after, 0), limit, inclusive_of_start=False
            )
            return [self._mapper.to_recorded(each, each.id) for each in found]

        return await self._read(read)

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

        return await self._read(read)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Hold one read transaction, which sees nothing that is written later."""
        transaction = self._recorder.datastore.transaction(commit=False)
        # Nobody's request waits for it, and to look through a large file takes its time.
        read = partial(self._read, patience=None)
        cursor = await read(transaction.__enter__)
        try:
            # SQLite takes the snapshot at the first read.
            await read(cursor.execute, "SELECT count(*) FROM settings")
            yield SqliteSnapshot(cursor.sqlite_cursor.connection, read, self._mapper)
        finally:
            await asyncio.to_thread(transaction.__exit__, None, None, None)

    async def forget_answers(self, before: datetime) -> int:
        """Drop some of the saved answers to keys that were taken before a time."""

        def forget() -> int:
            with self._recorder.datastore.transaction(commit=True) as cursor:
                cursor.execute(
                    "DELETE FROM idempotency_keys WHERE scope IN (SELECT scope FROM"
                    " idempotency_keys WHERE taken_at < ? AND answer IS NOT NULL LIMIT ?)",
                    (time_text(before), FORGET_AT_ONCE),
                )
                return int(cursor.sqlite_cursor.rowcount)

        return await self._read(forget)

    async def setting(self, name: str) -> str | None:
        """Give a small value."""
        rows = await self._select("SELECT value FROM settings WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Keep a small value and give the one that holds."""
        conflict = "NOTHING" if only_new else "UPDATE SET value = excluded.value"

        def keep() -> str:
            with self._recorder.datastore.transaction(commit=True) as cursor:
                cursor.execute(
                    f"INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO {conflict}",
                    (name, value),
                )
                cursor.execute("SELECT value FROM settings WHERE name = ?", (name,))
                return str(cursor.fetchone()[0])

        return await self._read(keep)

    async def page(self, query: Query[R]) -> Page[R]:
        """Give one page of a list."""
        table = ROW_TABLES[query.rows]

        def read() -> Page[R]:
            rows = self._fetch(*_compiled(page_statement(query, table)))
            total = self._fetch(*_compiled(total_statement(query, table)))
            return Page([table.decode(tuple(row)) for row in rows], total[0][0])

        return await self._read(read)

    async def row(self, rows: type[R], key: str) -> R | None:
        """Give one row."""
        table = ROW_TABLES[rows]
        columns = ", ".join(table.table.columns.keys())
        found = await self._select(
            f"SELECT {columns} FROM {table.table.name} WHERE {table.key} = ?", (key,)
        )
        return table.decode(tuple(found[0])) if found else None

    async def close(self) -> None:
        """Write what waits, then give the file up."""
        if self._writer is not None:
            await self._writer.close()
            self._writer = None
        self._closed = True
        await asyncio.to_thread(self._readers.shutdown)
        self._recorder.datastore.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _end_leases(self) -> None:
        # Whoever held one is dead; the clock may have been set back since.
        with self._recorder.datastore.transaction(commit=True) as cursor:
            cursor.execute("UPDATE idempotency_keys SET lease_until = 0 WHERE answer IS NULL")

    async def _start_writer(
        self, *, apart: bool, wrote: Sequence[Callable[[int, float], None]]
    ) -> GroupCommit[PackedAppend, Sequence[int]]:
        writer: WriterProcess | WriterThread[PackedAppend, Sequence[int]]
        if apart and self._lock is not None:
            writer = WriterProcess(self._path, self._lock.file, self._real_time)
            await writer.open()
        else:
            writer = WriterThread(lambda batch: commit(self._recorder, batch, self._real_time()))
        return GroupCommit(writer, self._committed, wrote)

    def _committed(self, packed: PackedAppend, _: Sequence[int]) -> None:
        for change in packed.append.changes:
            self._recent.written(change)

    def _load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        stored = self._recorder.select_events(stream)
        return Loaded(decider.fold(self._mapper.to_events(stored)), len(stored))

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self._recorder.datastore.transaction(commit=False) as cursor:
            cursor.execute(statement, parameters)
            return list(cursor.fetchall())

    async def _select(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        return await self._read(self._fetch, statement, parameters)

    async def _read(
        self,
        work: Callable[..., T],
        *arguments: Any,
        patience: float | None = ANSWER_SECONDS,
    ) -> T:
        if self._closed or self._reading >= MAX_WAITING_READS:
            raise StoreUnavailable("The store takes no more reads right now.")
        reading = asyncio.get_running_loop().run_in_executor(self._readers, work, *arguments)
        self._reading += 1
        reading.add_done_callback(self._was_read)
        try:
            async with asyncio.timeout(patience):
                # Given up, it still holds its place: threads that hang must not gather a queue.
                return await asyncio.shield(reading)
        except TimeoutError:
            raise StoreUnavailable("The store did not answer in time.", "too_slow") from None
        except (PersistenceError, sqlite3.Error) as error:
            raise StoreUnavailable(
                f"The store cannot be read: {error}.", reason_of(error)
            ) from error

    def _was_read(self, reading: asyncio.Future[Any]) -> None:
        self._reading -= 1
        if not reading.cancelled():
            # Looked at, so that a failure after nobody waits any more is no error in the log.
            reading.exception()


def _compiled(statement: Select[Any]) -> tuple[str, Sequence[Any]]:
    compiled = statement.compile(
        dialect=dialect.dialect(),
        compile_kwargs={"render_postcompile": True},
    )
    return str(compiled), [compiled.params[name] for name in compiled.positiontup or ()]
