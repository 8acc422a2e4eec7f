"""The reading half of the event store's port, on PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, TypeVar

import psycopg
from psycopg import IsolationLevel

from ....application.ports.event_store import Loaded
from ....application.ports.sealer import SealKey
from ....application.ports.snapshot import Snapshot
from ....domain.decider import Decider
from ...vault import Vault
from ..batch.group_commit import GroupCommit
from ..batch.idempotency import KeyRecord
from ..batch.packed_append import key_record
from ..batch.writer_task import WriterTask
from ..rows.query_shapes import NOWHERE
from ..sql.dialect import SqlDialect
from ..sql.reads import SqlReads, Wanted
from .columns import as_json
from .connections import Connection, unavailable
from .line import Line
from .recorder import PostgresBatchRecorder
from .schema import DIALECT
from .snapshot import PostgresSnapshot

S = TypeVar("S")
T = TypeVar("T")

POSTGRES = SqlDialect(DIALECT, "notification_id", "SELECT unnest(?::text[])", list)
LOADED = """
SELECT asked.stream, event.originator_version, event.topic, event.state
FROM json_array_elements_text(%s) AS asked(stream)
CROSS JOIN LATERAL (SELECT originator_version, topic, state FROM stored_events
  WHERE originator_id = asked.stream ORDER BY originator_version) AS event
"""
KEYS = """
SELECT known.* FROM json_array_elements_text(%s) AS asked(owner)
CROSS JOIN LATERAL (SELECT person, key_version, wrapped_key FROM people
  WHERE person = asked.owner LIMIT 1) AS known
UNION ALL
SELECT known.* FROM json_array_elements_text(%s) AS asked(owner)
CROSS JOIN LATERAL (SELECT name, version, wrapped FROM seal_keys
  WHERE name = asked.owner LIMIT 1) AS known
"""
_KEY_AND_NOW = (
    "SELECT extract(epoch FROM clock_timestamp())::float8,"
    " fingerprint, owner, lease_until, taken_at, person, answer"
    " FROM (VALUES (0)) AS one LEFT JOIN idempotency_keys ON scope = ?"
)
# A snapshot's statements may take long, and its reader may pause between them.
_UNHURRIED = (
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"
)


class PostgresReads(SqlReads):
    """Reads on a few threads, each with its own connection."""

    def __init__(
        self,
        recorder: PostgresBatchRecorder,
        real_time: Callable[[], float] | None,
        vault: Vault,
    ) -> None:
        super().__init__(POSTGRES, vault)
        self._recorder: PostgresBatchRecorder = recorder
        self._real_time = real_time
        self._line = Line(recorder.datastore)
        self._gathered: GroupCommit[Wanted, Loaded[Any] | None] = GroupCommit(
            WriterTask(self._load_together), lambda *_: None, ahead=1
        )

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Rebuild an aggregate; loads wait for the one in progress and then run together."""
        return await self._gathered.submit((decider, stream))

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Hold one read transaction, which sees no later writes."""
        connection = await self._read_on(self._held)
        held = PostgresSnapshot(connection, self._read_on, self._mapper, self._vault, self._dialect)
        try:
            yield held
        finally:
            await asyncio.to_thread(held.close)

    async def _load_together(
        self, wanted: Sequence[Wanted]
    ) -> Sequence[Loaded[Any] | Exception | None]:
        streams = as_json({_without_nul(stream) for _, stream in wanted}).decode()
        rows = await self._line.fetch(LOADED, (streams,))
        owners = self._mapper.owners((stream, state) for stream, *_, state in rows)
        return self._folds(wanted, rows, await self._keys_on_the_loop(owners))

    async def _keys_on_the_loop(self, owners: Collection[str]) -> dict[str, SealKey]:
        """Return the keys of those owners that have one, without a thread; for loads."""
        if not owners:
            return {}
        asked = as_json({_without_nul(each) for each in owners}).decode()
        rows = await self._line.fetch(KEYS, (asked, asked))
        return {name: SealKey(name, version, wrapped) for name, version, wrapped in rows}

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        askable = [_without_nul(each) for each in parameters]
        return self._recorder.datastore.fetch(with_placeholders(statement), askable)

    def _key(self, scope: str) -> tuple[KeyRecord | None, float]:
        ((now, *row),) = self._fetch(_KEY_AND_NOW, (scope,))
        record = None if row[0] is None else key_record(row)
        return record, now if self._real_time is None else self._real_time()

    async def _read_on(self, work: Callable[..., T], *arguments: Any) -> T:
        # No request waits for it, and reading a large store takes long.
        try:
            return await self._readers.run(work, *arguments, patience=None)
        except psycopg.Error as error:
            raise unavailable(error) from error

    def _held(self) -> Connection:
        connection = self._recorder.datastore.opened()
        try:
            connection.execute(_UNHURRIED)
            connection.set_autocommit(False)
            connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
            # PostgreSQL takes the snapshot at the first read.
            connection.execute("SELECT count(*) FROM settings")
        except BaseException:
            connection.close()
            raise
        return connection


def _without_nul(value: Any) -> Any:
    """Replace a NUL, which PostgreSQL's texts cannot hold, by text that matches nothing."""
    if isinstance(value, str):
        return value.replace("\x00", NOWHERE)
    return [_without_nul(each) for each in value] if isinstance(value, list) else value


@lru_cache(maxsize=1024)
def with_placeholders(statement: str) -> str:
    """Return a statement with the driver's placeholders."""
    return statement.replace("?", "%s")
