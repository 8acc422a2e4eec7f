"""The writing half of the event store's port on SQL: appends, settings and clean-up."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from math import floor
from typing import Any

from ....application.ports.event_store import (
    Append,
    HeldByOthers,
    Loaded,
    Overtaken,
    PersonGone,
    PersonKnown,
    PersonRecord,
    StoreUnavailable,
)
from ....application.ports.sealer import SealKey
from ....application.records.read_model import Row
from ....domain.guard import guesses_of
from ...vault import Vault
from ..batch.due_watchers import DueWatchers
from ..batch.group_commit import GroupCommit
from ..batch.packed_append import PackedAppend
from ..batch.packing import Packing, looking_up, probing
from ..rows.erasing import blanking, dropping_holders
from ..rows.read_model_tables import ROW_TABLES
from ..rows.time_text import time_text
from ..sealing.owner_keys import OwnerKeys
from .dialect import SqlDialect
from .pruning import Run, SqlPruning
from .sealed_log import SqlSealedLog, Statement
from .store_threads import StoreThreads

# Few enough that no write waits long for them.
_FORGET_AT_ONCE = 500
# A key is in one of the tables: names of people are no names of seal keys.
REWRAP = (
    "UPDATE people SET key_version = ?, wrapped_key = ?"
    " WHERE person = ? AND key_version = ? AND wrapped_key = ?",
    "UPDATE seal_keys SET version = ?, wrapped = ? WHERE name = ? AND version = ? AND wrapped = ?",
)
DROP_BUDGETS = "DELETE FROM tallies WHERE subject >= ? AND subject < ?"
FORGET_TALLIES = (
    "DELETE FROM tallies WHERE (subject, bucket) IN (SELECT subject, bucket FROM tallies"
    " WHERE until <= ? LIMIT ?)"
)
FORGET_ABOUT = (
    "DELETE FROM idempotency_keys WHERE scope IN (SELECT scope FROM idempotency_keys"
    " WHERE person = ? AND answer IS NOT NULL LIMIT ?)"
)


class SqlWrites(SqlPruning):
    """
    Passes appends to a writer, and writes settings and clean-ups on one thread.

    Each of those is a transaction of its own. If another writer holds the store's lock, only this thread
    waits for it, and no read does. Statements use `?` as placeholder.
    """

    def __init__(self, dialect: SqlDialect, vault: Vault) -> None:
        super().__init__(dialect, vault)
        self._keys = OwnerKeys(vault, self)
        self._packing = Packing(self._mapper, self._keys, vault, self.recall)
        self._writer: GroupCommit[PackedAppend, Sequence[int]] | None = None
        self._due_watchers = DueWatchers()
        self._keeper = StoreThreads(1)
        self.sealed_log = SqlSealedLog(
            dialect, self._readers, self._keeper, self._fetch, self._write_unless_late
        )

    @property
    def waiting(self) -> int:
        """The number of appends that wait for their commit."""
        return self._writer.waiting if self._writer is not None else 0

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs, by HMAC."""
        found = await super().people(hmacs)
        self._keys.learn(found.values())
        return found

    async def person(self, hmac: str) -> PersonRecord | None:
        """
        Return the person with this HMAC, as the writer sees the store.

        The writer reads many facts at once anyway. A reader's thread would wait for the interpreter lock
        while the event loop works, which costs a busy process more than the read (D-372).
        """
        try:
            await self._submit(looking_up(hmac))
        except PersonKnown as known:
            self._keys.learn(known.people)
            return known.people[0]
        except Overtaken:
            return None
        raise AssertionError("a look-up was written")

    async def probe(self) -> None:
        """Write a setting in the same way as an append, through the writer's process if there is one."""
        await self._submit(probing())

    async def forget_answers(self, before: datetime) -> int:
        """Drop some saved answers of keys that were taken before a time; return how many."""
        return await self._keeper.run(
            self._write,
            "DELETE FROM idempotency_keys WHERE scope IN (SELECT scope FROM idempotency_keys"
            " WHERE taken_at < ? AND answer IS NOT NULL LIMIT ?)",
            (time_text(before), _FORGET_AT_ONCE),
        )

    async def forget_answers_about(self, person_id: str) -> int:
        """Drop some saved answers to calls about one person; return how many."""
        return await self._keeper.run(
            self._write,
            FORGET_ABOUT,
            (person_id, _FORGET_AT_ONCE),
        )

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Drop some rows whose time in `column` is before `before`; return how many."""
        table = ROW_TABLES[rows]
        return await self._keeper.run(
            self._write,
            f"DELETE FROM {table.name} WHERE {table.key} IN (SELECT {table.key} FROM {table.name}"
            f" WHERE {column} < ? LIMIT ?)",
            (time_text(before), _FORGET_AT_ONCE),
        )

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """Drop uses of some subjects with this prefix that were last used before a time; return how many."""
        return await self._keeper.run(
            self._write,
            "DELETE FROM uses WHERE subject IN (SELECT subject FROM uses WHERE subject >= ?"
            " AND subject < ? GROUP BY subject HAVING max(at) < ? LIMIT ?)",
            (prefix, _after_prefix(prefix), time_text(before), _FORGET_AT_ONCE),
        )

    async def forget_tallies(self, before: datetime) -> int:
        """Drop some tallies that no window reaches any more at a time; return how many."""
        until = floor(before.timestamp())
        return await self._keeper.run(self._write, FORGET_TALLIES, (until, _FORGET_AT_ONCE))

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Store a setting; with `only_new`, keep an existing value. Return the stored value."""
        conflict = "NOTHING" if only_new else "UPDATE SET value = excluded.value"
        await self._keeper.run(
            self._write,
            f"INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO {conflict}",
            (name, value),
        )
        # A value that another writer stored since is as valid.
        return str(await self.setting(name))

    async def keep_key(self, key: SealKey) -> SealKey:
        """Store a key unless there is one of its name; return the stored one."""
        await self._keeper.run(
            self._write,
            "INSERT INTO seal_keys VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING",
            (key.name, key.version, key.wrapped),
        )
        kept = await self.seal_key(key.name)
        if kept is None:
            # It was dropped at once: nobody may seal under it.
            raise StoreUnavailable(f"The key of {key.name} was dropped while it was stored.")
        return kept

    async def rewrap(self, keys: Sequence[tuple[SealKey, SealKey]]) -> int:
        """Replace keys that are still as given, in one transaction; return how many were replaced."""
        changes = [
            (new.version, new.wrapped, old.name, old.version, old.wrapped) for old, new in keys
        ]
        return await self._keeper.run(self._write_all, REWRAP, changes) if changes else 0

    async def erase_rows(self, person_id: str) -> int:
        """
        Drop a person's guesses, and the holders of provider ids.

        Return how many rows lost personal members.
        """
        guesses = guesses_of(person_id)
        await self._keeper.run(self._write, DROP_BUDGETS, (guesses, _after_prefix(guesses)))
        for statement in dropping_holders():
            await self._keeper.run(self._write, statement, (person_id,))
        erased = 0
        for statement in blanking():
            bounded = (person_id, _FORGET_AT_ONCE)
            erased += await self._keeper.run(self._write, statement, bounded)
        return erased

    def forget_person(self, person_id: str) -> None:
        """Forget the person's key, and all cached states."""
        self._forget_people((person_id,))

    async def _packed_and_submitted(self, append: Append) -> Sequence[int]:
        try:
            return await self._submit(await self._packing.packed(self._subjects.replaced(append)))
        except HeldByOthers as refusal:
            raise self._subjects.restored(refusal, append) from None
        except PersonKnown as refusal:
            self._keys.learn(refusal.people)
            raise
        except PersonGone as refusal:
            self._forget_people((refusal.person_id,))
            raise

    @abstractmethod
    def recall(self, stream: str) -> Loaded[Any] | None:
        """Return the cached state of a stream."""

    @abstractmethod
    def _forget_people(self, people: Collection[str]) -> None:
        """Forget what this process remembers of people who were erased."""

    def _submit(self, work: PackedAppend) -> asyncio.Future[Sequence[int]]:
        if self._writer is None:
            raise StoreUnavailable("This store takes no writes: it is closed, or read only.")
        return self._writer.submit(work)

    def _write(self, statement: str, parameters: Sequence[Any]) -> int:
        return self._write_all((statement,), (parameters,))

    def _write_all(self, statements: Sequence[str], parameters: Sequence[Sequence[Any]]) -> int:
        return self._run_all([(each, parameters) for each in statements])

    async def _keep(self, *runs: Run) -> int:
        return await self._keeper.run(self._run_all, runs)

    @abstractmethod
    def _run_all(self, runs: Sequence[Run]) -> int:
        """
        Run each statement with each of its values, in one transaction on the caller's thread.

        Return the number of rows that they changed.
        """

    @abstractmethod
    def _write_unless_late(self, statements: Sequence[Statement]) -> bool:
        """
        Run statements in one transaction, unless the first changes no row; return whether they ran.

        It runs on the caller's thread, and takes no lock that makes appends of other nodes wait.
        """


def _after_prefix(prefix: str) -> str:
    """Return the first text, by code points, after all texts with this prefix."""
    return f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
