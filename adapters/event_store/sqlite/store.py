"""The event store in one SQLite file, durable and fast, for one process."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from ....application.ports.event_store import (
    Append,
    DueKind,
    Loaded,
    StoreUnavailable,
    StreamConflict,
)
from ....domain.decider import Decider
from ...vault import Vault
from ..batch.due_watchers import DueAdded
from ..batch.group_commit import GroupCommit, Wrote
from ..batch.packed_append import PackedAppend
from ..batch.packing import MANY, ROW_SHAPES
from ..batch.writer_thread import WriterThread
from ..log.recent_states import RecentStates
from ..rows.read_model_tables import ALL_TABLES
from ..rows.tables import SCHEMA_SETTING, SCHEMA_VERSION, settings
from ..sql.pruning import Run
from ..sql.schema_versions import check_schema
from ..sql.sealed_log import Statement
from ..sql.writes import SqlWrites
from .at_rest import readable_datastore
from .commit import commit
from .flaws import running_flaws
from .owner_lock import OwnerLock
from .reads import SqliteReads
from .recorder import BatchRecorder, DurableDatastore, database_uri
from .schema import create_missing
from .scrubbing import empty_log
from .writer_process import WriterProcess

S = TypeVar("S")

# Attempts of the first write, each of which waits as long as an append may.
_STARTS = 6
# All tables of a store.
_ALL_READ = frozenset({"stored_events", *(each.name for each in ALL_TABLES)})


class SqliteEventStore(SqliteReads, SqlWrites):
    """
    Commits with one writer and reads on a few threads; nothing blocks the event loop.

    This process owns the file while the store is open, so states of recently used streams can be cached.
    With `read_only` it owns nothing, and can read beside a running service.
    """

    def __init__(
        self, path: Path, *, read_only: bool, real_time: Callable[[], float], vault: Vault
    ) -> None:
        # A file has one owner, whichever link leads to it.
        path = path.resolve()
        if read_only and not path.exists():
            raise StoreUnavailable(f"There is no store at {path}.")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = None if read_only else OwnerLock(path)
        if read_only:
            datastore = readable_datastore(path)
        else:
            # The file holds destinations and hashes. SQLite creates its other files with the same mode.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            datastore = DurableDatastore(database_uri(path, "rwc"))
        super().__init__(BatchRecorder(datastore, ROW_SHAPES), real_time, vault)
        self._path = path
        self._recent = RecentStates(0) if read_only else RecentStates()

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        read_only: bool = False,
        to_check: bool = False,
        writer_process: bool = False,
        real_time: Callable[[], float] = time.time,
        wrote: Sequence[Wrote] = (),
        vault: Vault | None = None,
    ) -> SqliteEventStore:
        """
        Open the file; create it and its tables if they are missing.

        With `writer_process` the writer is a process of its own, which is faster and meant for services
        that own their process; else it is a thread. `wrote` are called after every commit. With
        `to_check`, only the settings must be a real table, because an audit reads the flaws first.
        Without a `vault`, what is sealed reads as `***`, and nothing can be sealed.

        Raises `StoreInUse` if another process owns the file. Raises `StoreUnavailable` if it cannot be
        opened, is not durable, or was written by another program or a newer release.
        """
        try:
            store = await asyncio.to_thread(
                cls,
                path,
                read_only=read_only,
                real_time=real_time,
                vault=vault or Vault(None),
            )
        except OSError as error:
            raise StoreUnavailable(
                f"The store {path} cannot be opened: {error.strerror}."
                " Check its folder, and who may write there."
            ) from error
        try:
            if not read_only:
                await store._readers.run(store._check_schema)
                # Prepare the file while the process starts.
                store._writer = await store._start_writer(apart=writer_process, wrote=wrote)
                await store._readers.run(create_missing, store._recorder, patience=None)
                await store._readers.run(store._end_leases, patience=None)
                if writer_process:
                    await store._await_writer()
                await store.keep_setting(SCHEMA_SETTING, str(SCHEMA_VERSION), only_new=True)
            else:
                read = {settings.name} if to_check else _ALL_READ
                await store._readers.run(store._check_tables, read)
                await store._readers.run(store._check_schema)
        except BaseException:
            await store.close()
            raise
        return store

    async def append(self, append: Append) -> Sequence[int]:
        """Write everything in `append` or nothing; it is on disk on return."""
        try:
            return await self._packed_and_submitted(append)
        except StreamConflict as conflict:
            self._recent.forget(conflict.stream)
            raise
        except StoreUnavailable:
            # The append may have been written all the same.
            for change in append.changes:
                self._recent.forget(change.stream)
            raise

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Return an aggregate from memory, or rebuild it."""
        known = self.recall(stream)
        if known is not None:
            return known
        with self._recent.loading(stream) as keep:
            loaded = await super().load(decider, stream)
            if loaded is not None:
                keep(loaded)
        return loaded

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Return a cached state; it is current, because only this process writes."""
        return self._recent.get(stream)

    def watching_due(self, kind: DueKind, due_added: DueAdded) -> AbstractContextManager[None]:
        """Call `due_added` for new due rows while the block runs."""
        return self._due_watchers.watching(kind, due_added)

    def watching_log(self, _: Callable[[], None], /) -> AbstractContextManager[None]:
        """Do nothing: no other process appends."""
        return nullcontext()

    async def close(self) -> None:
        """Write the queued appends, then release the file."""
        if self._writer is not None:
            await self._writer.close()
            self._writer = None
        await self._keeper.close()
        await self._readers.close()
        self._recorder.datastore.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    async def scrub(self) -> bool:
        """Empty the write-ahead log into the file; return False while a reader or a writer needs it."""
        return await self._keeper.run(empty_log, self._recorder.datastore)

    def _forget_people(self, people: Collection[str]) -> None:
        self._keys.erased(people)
        # States hold what was sealed, and name no person by whom to find them (D-342).
        self._recent.clear()

    def _forget_streams(self, streams: Collection[str]) -> None:
        for each in streams:
            self._recent.forget(each)

    def _run_all(self, runs: Sequence[Run]) -> int:
        with self._recorder.datastore.transaction(commit=True) as cursor:
            changed = 0
            for statement, parameters in runs:
                cursor.executemany(statement, parameters)
                changed += cursor.sqlite_cursor.rowcount
            return changed

    def _write_unless_late(self, statements: Sequence[Statement]) -> bool:
        with self._recorder.datastore.transaction(commit=True) as cursor:
            for number, (statement, parameters) in enumerate(statements):
                cursor.execute(statement, parameters)
                if not number and not cursor.sqlite_cursor.rowcount:
                    return False
        return True

    def _check_tables(self, read: Collection[str]) -> None:
        # Reading a view in place of a table might never end (D-165).
        with self._recorder.datastore.transaction(commit=False) as cursor:
            flaw = next(running_flaws(cursor.sqlite_cursor.connection, read), None)
        if flaw is not None:
            raise StoreUnavailable(
                f"The store {self._path} was not made by Watchword: its {flaw.name} is no plain"
                " table. Use a copy that `watchword audit check` finds in order."
            )

    def _check_schema(self) -> None:
        # A new file has no table of settings yet, and must not get any table of another release.
        with self._recorder.datastore.transaction(commit=False) as cursor:
            cursor.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (settings.name,))
            if cursor.fetchone() is None:
                return
            cursor.execute("SELECT value FROM settings WHERE name = ?", (SCHEMA_SETTING,))
            row = cursor.fetchone()
        check_schema(None if row is None else str(row[0]), f"The store {self._path}")

    def _end_leases(self) -> None:
        # The processes that held leases have ended. The clock may have been set back since.
        self._write("UPDATE idempotency_keys SET lease_until = 0 WHERE answer IS NULL", ())

    async def _start_writer(
        self, *, apart: bool, wrote: Sequence[Wrote]
    ) -> GroupCommit[PackedAppend, Sequence[int]]:
        writer: WriterProcess | WriterThread[PackedAppend, Sequence[int]]
        if apart and self._lock is not None:
            writer = WriterProcess(self._path, self._lock.file, self._real_time)
            await writer.open()
        else:
            writer = WriterThread(lambda batch: commit(self._recorder, batch, self._real_time()))
        return GroupCommit(writer, self._committed, wrote)

    async def _await_writer(self) -> None:
        """Wait for the writer process, whose start on a busy machine takes longer than an append may."""
        for _ in range(_STARTS):
            try:
                await self.probe()
            except StoreUnavailable as error:
                if error.reason == "too_slow":
                    continue
            # The next append raises all other failures to its caller.
            return

    def _committed(self, written: PackedAppend, _: Sequence[int]) -> None:
        append = written.append
        if append.erasing:
            self._forget_people(append.erasing)
        self._keys.dropped(append.dropping)
        # The states of an append that met an erasure have what was left out of its events.
        self._recent.written(append.changes, bulk=len(append.changes) > MANY or bool(append.erased))
        if append.due:
            self._due_watchers.notify_all(append.due)
