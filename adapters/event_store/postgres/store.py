"""The event store in one PostgreSQL database, for any number of nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any, TypeVar

from ....application.ports.event_store import (
    Append,
    DueKind,
    Loaded,
    StoreUnavailable,
    StreamConflict,
)
from ....domain.decider import Decider
from ..batch.due_watchers import DueAdded
from ..batch.group_commit import ANSWER_SECONDS, GroupCommit, Wrote
from ..batch.packed_append import PackedAppend
from ..batch.packing import MANY, packed, packed_at_leisure
from ..batch.writer_task import WriterTask
from ..log.recent_states import RecentStates
from ..rows.tables import SCHEMA_VERSION
from ..sql.writes import SqlWrites
from .connections import ThreadConnections
from .notices import DueNotices
from .reads import PostgresReads, marked
from .recorder import PostgresBatchRecorder
from .schema import create_missing, current_schema, is_complete, schema_version

S = TypeVar("S")


class PostgresEventStore(PostgresReads, SqlWrites):
    """
    Group commits and loads by tasks of the event loop (D-62), other reads on a few threads.

    Other nodes write too, so states in memory may be outdated and are only recalled, never loaded.
    Opening ends no lease: the leases of a dead node expire. With `read_only` it never writes, and may
    read a standby.
    """

    def __init__(self, url: str, *, read_only: bool, real_time: Callable[[], float] | None) -> None:
        connections = ThreadConnections(url, read_only=read_only)
        super().__init__(PostgresBatchRecorder(connections, real_time), real_time)
        self._recent = RecentStates()
        self._losses = 0
        self._notices = DueNotices(connections, self._due_watchers, self._readers.run)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        read_only: bool = False,
        real_time: Callable[[], float] | None = None,
        wrote: Sequence[Wrote] = (),
    ) -> PostgresEventStore:
        """
        Open the database, and create missing tables; any number of nodes may do so at once.

        `url` is libpq's. Leases go by the database's clock where there is no `real_time`. `wrote`
        are told of every commit.

        Raises `StoreUnavailable` when it cannot be reached, does not keep what is committed, or
        was written by a newer release.
        """
        store = cls(url, read_only=read_only, real_time=real_time)
        try:
            complete = await store._readers.run(store._look_at_tables)
            if not read_only:
                if not complete:
                    await store._readers.run(store._make_tables, patience=None)
                commits: GroupCommit[PackedAppend, Sequence[int]] = GroupCommit(
                    WriterTask(lambda batch: store._recorder.commit(batch, commits.late)),
                    store._committed,
                    wrote,
                    ahead=1,
                )
                store._writer = commits
        except BaseException:
            await store.close()
            raise
        return store

    async def append(self, append: Append) -> Sequence[int]:
        """Write everything in `append`, or nothing; the database has it on disk on return."""
        try:
            if len(append.changes) <= MANY:
                return await self._submit(packed(append, self._mapper.to_stored(append)))
            return await self._submit(await packed_at_leisure(append, self._mapper))
        except StreamConflict as conflict:
            self._recent.forget(conflict.stream)
            raise

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Rebuild an aggregate, and keep it in memory."""
        with self._recent.loading(stream) as keep:
            loaded = await super().load(decider, stream)
            if loaded is not None:
                keep(loaded)
        return loaded

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Return a state from memory; other nodes may have written since (D-118)."""
        if self._losses != self._recorder.losses:
            # After an outage, a database may have lost states that are in memory.
            self._losses = self._recorder.losses
            self._recent.clear()
        return self._recent.get(stream)

    def watching_due(self, kind: DueKind, due_added: DueAdded) -> AbstractContextManager[None]:
        """Notify of due rows while the block runs: those of this node, and those that others announce."""
        self._notices.listen()
        return self._due_watchers.watching(kind, due_added)

    async def close(self) -> None:
        """Write all waiting appends, then close the connections, even if the database is silent."""
        datastore = self._recorder.datastore
        too_late = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._hang_up)
        if self._writer is not None:
            await self._writer.close()
            self._writer = None
            with suppress(StoreUnavailable):
                await self._readers.run(self._recorder.leave)
        await self._notices.close()
        await self._gathered.close()
        await self._line.forget()
        await self._recorder.close()
        await self._keeper.close()
        await self._readers.close()
        too_late.cancel()
        datastore.close()

    def _hang_up(self) -> None:
        self._recorder.hang_up()
        self._line.hang_up()

    def _write(self, statement: str, parameters: Sequence[Any]) -> int:
        with self._recorder.writing() as cursor:
            return cursor.execute(marked(statement), parameters).rowcount

    def _look_at_tables(self) -> bool:
        """Return whether all tables exist; raise `StoreUnavailable` if they are not for this release."""
        datastore = self._recorder.datastore
        with datastore.get_connection() as connection:
            datastore.schema = current_schema(connection)
            version = schema_version(connection)
            if version is None and datastore.read_only:
                raise StoreUnavailable(
                    "There is no store in this database. Name the one that has it."
                )
            if version is not None and version > SCHEMA_VERSION:
                raise StoreUnavailable("This store belongs to another release of Watchword.")
            return version is not None and is_complete(connection)

    def _make_tables(self) -> None:
        with self._recorder.datastore.get_connection() as connection:
            create_missing(connection)

    def _committed(self, written: PackedAppend, _: Sequence[int]) -> None:
        append = written.append
        self._recent.written(append.changes, bulk=len(append.changes) > MANY)
        if append.due:
            self._due_watchers.notify_all(append.due)
        self._notices.committed(written.append)
