"""The reading half of the event store's port, on a SQLite file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

import msgspec
from sqlalchemy.dialects import sqlite

from ....application.ports.event_store import Loaded
from ....application.ports.snapshot import Snapshot
from ....domain.decider import Decider
from ...vault import Vault
from ..batch.idempotency import KeyRecord
from ..batch.packed_append import SELECT_KEY, key_record
from ..sql.dialect import SqlDialect
from ..sql.reads import SqlReads, Wanted
from .gathered_loads import GatheredLoads
from .recorder import BatchRecorder
from .schema import statements
from .snapshot import SqliteSnapshot

S = TypeVar("S")


def _as_json(items: Collection[str]) -> str:
    return msgspec.json.encode(list(items)).decode()


SQLITE = SqlDialect(sqlite.dialect(), "position", "SELECT value FROM json_each(?)", _as_json)
_STREAMS = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events"
    " WHERE originator_id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2"
)


class SqliteReads(SqlReads):
    """Reads on a few threads."""

    def __init__(
        self, recorder: BatchRecorder, real_time: Callable[[], float], vault: Vault
    ) -> None:
        super().__init__(SQLITE, vault)
        self._recorder: BatchRecorder = recorder
        self._loads = GatheredLoads(self._readers, self._load)
        self._real_time = real_time

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Rebuild an aggregate; all loads of one turn of the loop are read together."""
        return await self._loads.load(decider, stream)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Hold one read transaction, which sees no later writes."""
        transaction = self._recorder.datastore.transaction(commit=False)
        # No request waits for it, and reading a large file takes long.
        read = partial(self._readers.run, patience=None)
        cursor = await read(transaction.__enter__)
        try:
            # SQLite takes the snapshot at the first read.
            await read(cursor.execute, "SELECT count(*) FROM sqlite_master")
            yield SqliteSnapshot(
                cursor.sqlite_cursor.connection,
                read,
                self._mapper,
                self._vault,
                self._dialect,
                statements(self._recorder),
            )
        finally:
            await asyncio.to_thread(transaction.__exit__, None, None, None)

    def _load(self, wanted: Sequence[Wanted]) -> list[Loaded[Any] | Exception | None]:
        streams = _as_json({stream for _, stream in wanted})
        rows = self._fetch(_STREAMS, (streams,))
        keys = self._keys_of(self._mapper.owners((stream, state) for stream, *_, state in rows))
        return self._folds(wanted, rows, keys)

    def _fetch(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        with self._recorder.datastore.transaction(commit=False) as cursor:
            cursor.execute(statement, parameters)
            return list(cursor.fetchall())

    def _key(self, scope: str) -> tuple[KeyRecord | None, float]:
        rows = self._fetch(f"{SELECT_KEY} WHERE scope = ?", (scope,))
        return key_record(tuple(rows[0])) if rows else None, self._real_time()
