"""The event store in one PostgreSQL database, for any number of nodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
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
from ...vault import Vault
from ..batch.due_watchers import DueAdded
from ..batch.group_commit import ANSWER_SECONDS, GroupCommit, Wrote
from ..batch.packed_append import PackedAppend
from ..batch.packing import MANY
from ..batch.writer_task import WriterTask
from ..log.recent_states import RecentStates
from ..sql.pruning import Run
from ..sql.schema_versions import check_schema
from ..sql.sealed_log import Statement
from ..sql.writes import SqlWrites
from .connections import ThreadConnections
from .notices import Notices
from .reads import PostgresReads, with_placeholders
from .recorder import PostgresBatchRecorder
from .schema import create_missing, current_schema, is_complete, schema_version

S = TypeVar("S")


class PostgresEventStore(PostgresReads, SqlWrites):
    """
    Commits and loads on tasks of the event loop (D-62); other reads use a few threads.

    Other nodes write too, so a state in memory may be out of date: `recall` returns it, and `load` never
    does. Opening the store ends no lease: the leases of a dead node expire. With `read_only` it
    writes nothing, and can read a standby.
    """

    def __init__(
        self, url: str, *, read_only: bool, real_time: Callable[[], float] | None, vault: Vault
    ) -> None:
        connections = ThreadConnections(url, read_only=read_only)
        super().__init__(PostgresBatchRecorder(connections, real_time), real_time, vault)
        self._recent = RecentStates()
        self._losses = 0
        self._notices = Notices(connections, self._due_watchers, self._readers.run)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        read_only: bool = False,
        real_time: Callable[[], float] | None = None,
        wrote: Sequence[Wrote] = (),
        vault: Vault | None = None,
    ) -> PostgresEventStore:
        """
        Open the database and create missing tables; several nodes may do so at once.

        `url` is libpq's. Without `real_time`, leases use the database's clock. `wrote` are called after
        every commit. Without a `vault`, what is sealed reads as `***`, and nothing can be sealed.

        Raises `StoreUnavailable` if the database cannot be reached, is not durable, or was written by a
        newer release.
        """
        store = cls(url, read_only=read_only, real_time=real_time, vault=vault or Vault(None))
        try:
            complete = await store._readers.run(store._check_tables)
            if not read_only:
                if not complete:
                    await store._readers.run(store._create_tables, patience=None)
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
        """Write everything in `append` or nothing; it is on the database's disk on return."""
        try:
            return await self._packed_and_submitted(append)
        except StreamConflict as conflict:
            self._recent.forget(conflict.stream)
            raise

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Rebuild an aggregate and cache it."""
        with self._recent.loading(stream) as keep:
            loaded = await super().load(decider, stream)
            if loaded is not None:
                keep(loaded)
        return loaded

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Return a state from memory; other nodes may have written since (D-118)."""
        if self._losses != self._recorder.losses:
            # A database can return from an outage without the writes of cached states.
            self._losses = self._recorder.losses
            self._recent.clear()
        return self._recent.get(stream)

    def watching_due(self, kind: DueKind, due_added: DueAdded) -> AbstractContextManager[None]:
        """Call `due_added` for this node's new due rows, and for those that other nodes announce."""
        self._notices.listen()
        return self._due_watchers.watching(kind, due_added)

    def watching_log(self, grown: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `grown` after appends that other nodes announce."""
        return self._notices.watching_log(grown)

    async def close(self) -> None:
        """Write the queued appends, then close the connections, even if the database does not answer."""
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

    async def scrub(self) -> bool:
        """Return True: PostgreSQL removes deleted rows by itself, and keys there are wrapped (C-74)."""
        return True

    def _forget_people(self, people: Collection[str]) -> None:
        self._keys.erased(people)
        # States hold what was sealed, and name no person by whom to find them (D-342).
        self._recent.clear()

    def _forget_streams(self, streams: Collection[str]) -> None:
        for each in streams:
            self._recent.forget(each)

    def _run_all(self, runs: Sequence[Run]) -> int:
        with self._recorder.writing() as cursor:
            changed = 0
            for statement, parameters in runs:
                cursor.executemany(with_placeholders(statement), parameters)
                changed += cursor.rowcount
            return changed

    def _write_unless_late(self, statements: Sequence[Statement]) -> bool:
        # Without the lock of the batches: the tiles and heads are nobody else's.
        datastore = self._recorder.datastore
        with datastore.get_connection() as connection, connection.transaction():
            cursor = connection.cursor()
            for number, (statement, parameters) in enumerate(statements):
                cursor.execute(with_placeholders(statement), parameters)
                if not number and not cursor.rowcount:
                    return False
        return True

    def _check_tables(self) -> bool:
        """Return whether all tables exist; raises `StoreUnavailable` for another release's."""
        datastore = self._recorder.datastore
        with datastore.get_connection() as connection:
            datastore.schema = current_schema(connection)
            version = schema_version(connection)
            if version is None and datastore.read_only:
                raise StoreUnavailable(
                    "There is no store in this database. Name the one that has it."
                )
            check_schema(version, "The store in this database")
            return version is not None and is_complete(connection)

    def _create_tables(self) -> None:
        with self._recorder.datastore.get_connection() as connection:
            create_missing(connection)

    def _committed(self, written: PackedAppend, _: Sequence[int]) -> None:
        append = written.append
        if append.erasing:
            self._forget_people(append.erasing)
        self._keys.dropped(append.dropping)
        # The states of an append that met an erasure have what was left out of its events.
        self._recent.written(append.changes, bulk=len(append.changes) > MANY or bool(append.erased))
        if append.due:
            self._due_watchers.notify_all(append.due)
        self._notices.committed(written.append)
