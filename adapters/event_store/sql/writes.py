"""What a SQL store writes: appends, and beside them what it keeps and drops."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ....application.ports.event_store import StoreUnavailable
from ....application.records.read_model import Row
from ..batch.due_watchers import DueWatchers
from ..batch.group_commit import GroupCommit
from ..batch.packed_append import PackedAppend
from ..batch.packing import probing
from ..rows.read_model_tables import ROW_TABLES
from ..rows.time_text import time_text
from .dialect import SqlDialect
from .reads import SqlReads
from .store_threads import StoreThreads

# So few that no write waits long for them.
_FORGET_AT_ONCE = 500


class SqlWrites(SqlReads):
    """
    Hands appends to a writer, once there is one, and keeps and drops small things on one thread.

    That thread has a transaction for each: where somebody else holds the store's lock, it waits for it
    there, and no read behind it. Statements mark their values with `?`.
    """

    def __init__(self, dialect: SqlDialect) -> None:
        super().__init__(dialect)
        self._writer: GroupCommit[PackedAppend, Sequence[int]] | None = None
        self._due_watchers = DueWatchers()
        self._keeper = StoreThreads(1)

    @property
    def waiting(self) -> int:
        """How many appends wait for their commit."""
        return self._writer.waiting if self._writer is not None else 0

    async def probe(self) -> None:
        """Write a setting on the way that appends take, a writer's process included."""
        await self._submit(probing())

    async def forget_answers(self, before: datetime) -> int:
        """Drop some of the saved answers to keys that were taken before a time."""
        return await self._keeper.run(
            self._write,
            "DELETE FROM idempotency_keys WHERE scope IN (SELECT scope FROM idempotency_keys"
            " WHERE taken_at < ? AND answer IS NOT NULL LIMIT ?)",
            (time_text(before), _FORGET_AT_ONCE),
        )

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Drop some of the rows of a time before another."""
        table = ROW_TABLES[rows]
        return await self._keeper.run(
            self._write,
            f"DELETE FROM {table.name} WHERE {table.key} IN (SELECT {table.key} FROM {table.name}"
            f" WHERE {column} < ? LIMIT ?)",
            (time_text(before), _FORGET_AT_ONCE),
        )

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """Drop some of the uses of subjects that begin so and were last used before a time."""
        return await self._keeper.run(
            self._write,
            "DELETE FROM uses WHERE subject IN (SELECT subject FROM uses WHERE subject >= ?"
            " AND subject < ? GROUP BY subject HAVING max(at) < ? LIMIT ?)",
            (prefix, _behind(prefix), time_text(before), _FORGET_AT_ONCE),
        )

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Keep a small value and return the one that holds; `only_new` keeps an earlier one."""
        conflict = "NOTHING" if only_new else "UPDATE SET value = excluded.value"
        await self._keeper.run(
            self._write,
            f"INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO {conflict}",
            (name, value),
        )
        # A value that another node has put there since is as good.
        return str(await self.setting(name))

    def _submit(self, work: PackedAppend) -> asyncio.Future[Sequence[int]]:
        if self._writer is None:
            raise StoreUnavailable("This store takes no writes: it is closed, or read only.")
        return self._writer.submit(work)

    @abstractmethod
    def _write(self, statement: str, parameters: Sequence[Any]) -> int:
        """Run a statement on the calling thread; return how many rows it wrote or dropped."""


def _behind(prefix: str) -> str:
    """Return the first text, by code points, behind all that begin with `prefix`."""
    return f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
