"""One read transaction on a SQL store, read in parts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from ....application.ports.sealed_log import Head, KeptTile, RawEvent
from ....application.ports.sealer import SealKey
from ....application.ports.snapshot import (
    Flaw,
    Held,
    KeptAnswer,
    KeptDue,
    KeptEvent,
    KeptPerson,
    KeptPosition,
    KeptRow,
    KeptSeal,
    KeptTally,
    KeptUse,
    Placed,
)
from ....application.records.read_model import Row
from ...vault import Vault
from ..batch.packed_append import LOG, SELECT_PERSON
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_opening import RowOpening
from ..rows.time_text import time_of
from .dialect import SqlDialect
from .people_reads import keys_of

T = TypeVar("T")
R = TypeVar("R", bound=Row)

# The most rows, and about the most bytes, that a reader thread reads in one turn.
_PART = 500
_PART_BYTES = 4 << 20
# Data larger than any event is not read; the event then counts as unreadable (D-167).
_STATE = f"CASE WHEN length(state) <= {16 << 20} THEN state END"
_PREFIX = re.compile("[a-z]+_?")
# More than any store has: the number of settings does not grow.
_SETTINGS = 1_000
_NO_TIME = datetime.min.replace(tzinfo=UTC)


class Reader(Protocol):
    """Runs work on a reader thread, and translates its failures to the port's errors."""

    def __call__(self, work: Callable[..., T], *arguments: Any) -> Awaitable[T]:
        """Run `work` and return its result."""
        ...


class Rows(Protocol):
    """The result of a statement, fetched in parts."""

    def fetchmany(self, size: int, /) -> Sequence[Any]:
        """Return the next rows; none at the end."""
        ...


class SqlSnapshot(ABC):
    """
    A store as seen by one transaction.

    `at_once` are the rows to fetch per call.
    """

    def __init__(
        self, read: Reader, mapper: EventMapper, vault: Vault, dialect: SqlDialect, at_once: int
    ) -> None:
        self._read = read
        self._mapper = mapper
        self._dialect = dialect
        self._position = dialect.position
        self._vault = vault
        self._opening = RowOpening(vault, self._keys_of)
        self._at_once = at_once

    @abstractmethod
    async def damage(self) -> Sequence[str]:
        """Return the damage that the database's own check finds."""

    async def size(self) -> int:
        """Count the events."""
        return await self._read(self._count)

    def events(self, prefix: str = "") -> AsyncIterator[KeptEvent]:
        """Return every event of the streams whose ids begin so, by stream and version."""
        return self._in_parts(
            f"SELECT {self._position}, originator_id, originator_version, topic, {_STATE}"
            f" FROM stored_events {_beginning(prefix)} ORDER BY originator_id, originator_version",
            self._kept,
        )

    async def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Return every row of one read model, by key."""
        table = ROW_TABLES[rows]
        columns = ", ".join(table.shape.columns)
        # The last writer may be of a release without this read model; then the table is missing.
        if await self._read(self._has_table, table.name):
            statement = f"SELECT {columns} FROM {table.name} ORDER BY {table.key}"
            async for each in self._in_parts(statement, partial(self._opening.kept, table)):
                yield each

    def holders(self) -> AsyncIterator[Held]:
        """Return all holders with their subjects, in order of both."""
        return self._parts(
            "SELECT holder, subject FROM holders ORDER BY holder, subject", lambda row: Held(*row)
        )

    @abstractmethod
    async def flaws(self) -> Sequence[Flaw]:
        """Return the differences of the database's schema from this release's."""

    async def setting(self, name: str) -> str | None:
        """Return a setting; None if it is missing."""
        return (await self._read(self._settings)).get(name)

    def placed(self) -> AsyncIterator[Placed]:
        """Return the place of every event, by position."""
        return self._parts(
            f"SELECT {self._position}, originator_id, originator_version, {_STATE}"
            f" FROM stored_events ORDER BY {self._position}",
            lambda row: self._mapper.to_placed(row[0], row[1], row[2], row[3] or b""),
        )

    def uses(self) -> AsyncIterator[KeptUse]:
        """Return every use, by subject and number."""
        return self._parts(
            "SELECT subject, number, at FROM uses ORDER BY subject, number",
            lambda row: KeptUse(row[0], row[1], time_of(row[2])),
        )

    def tallies(self) -> AsyncIterator[KeptTally]:
        """Return every tally, by subject and bucket."""
        return self._parts(
            "SELECT subject, bucket, sent, verified FROM tallies ORDER BY subject, bucket",
            lambda row: KeptTally(*row),
        )

    def due(self) -> AsyncIterator[KeptDue]:
        """Return every due row, by stream, kind and number."""
        return self._parts(
            "SELECT stream, kind, number, at FROM due ORDER BY stream, kind, number",
            lambda row: KeptDue(row[0], row[1], row[2], time_of(row[3])),
        )

    def seals(self) -> AsyncIterator[KeptSeal]:
        """Return all seal keys, by name."""
        return self._parts(
            "SELECT name, version, wrapped FROM seal_keys ORDER BY name",
            lambda row: KeptSeal(row[0], self._vault.state_of(SealKey(*row))),
        )

    def people(self) -> AsyncIterator[KeptPerson]:
        """Return every person whose key the store has, by id."""
        return self._parts(
            f"{SELECT_PERSON} ORDER BY person",
            lambda row: KeptPerson(
                row[0],
                row[1],
                row[2],
                self._vault.state_of(SealKey(row[0], row[3], row[4])),
                None if row[5] is None else time_of(row[5]),
            ),
        )

    def answers(self) -> AsyncIterator[KeptAnswer]:
        """Return every Idempotency-Key, by scope."""
        return self._parts(
            "SELECT scope, taken_at, answer FROM idempotency_keys ORDER BY scope",
            lambda row: KeptAnswer(
                row[0], time_of(row[1]), None if row[2] is None else bytes(row[2])
            ),
        )

    def positions(self) -> AsyncIterator[KeptPosition]:
        """Return every number that is not 0, by name."""
        return self._parts(
            f"SELECT name, position FROM positions WHERE name <> '{LOG}' ORDER BY name",
            lambda row: KeptPosition(*row),
        )

    def raw_events(self) -> AsyncIterator[RawEvent]:
        """Return every event as it is stored, by position; one that is too large, or no bytes, is empty."""
        return self._parts(
            f"SELECT {self._position}, originator_id, originator_version, topic, {_STATE}"
            f" FROM stored_events ORDER BY {self._position}",
            lambda row: RawEvent(row[0], str(row[1]), row[2], str(row[3]), _bytes(row[4])),
        )

    def tiles(self, level: int) -> AsyncIterator[KeptTile]:
        """Return the tiles of a level, by index."""
        return self._parts(
            f"SELECT level, tile, hashes FROM log_tiles WHERE level = {int(level)} ORDER BY tile",
            lambda row: KeptTile(row[0], _whole(row[1]), _bytes(row[2])),
        )

    def heads(self) -> AsyncIterator[Head]:
        """Return every head, by size; one at no valid time is as old as can be."""
        return self._parts(
            "SELECT origin, size, root, at, note FROM log_heads ORDER BY size",
            lambda row: Head(
                str(row[0]), row[1], _bytes(row[2]), time_of(row[3]) or _NO_TIME, str(row[4])
            ),
        )

    def _settings(self) -> dict[str, str]:
        return dict(self._run("SELECT name, value FROM settings").fetchmany(_SETTINGS))

    def _keys_of(self, owners: Collection[str]) -> dict[str, SealKey]:
        """Return the keys of those owners that have one, as of the snapshot."""
        if not owners:
            return {}
        packed = self._dialect.pack(owners)
        rows = self._select(keys_of(self._dialect), (packed, packed))
        return {name: SealKey(name, version, wrapped) for name, version, wrapped in rows}

    @abstractmethod
    def _select(self, statement: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """Run a statement with few rows, beside one whose rows are fetched in parts."""

    @abstractmethod
    def _run(self, statement: str) -> Rows:
        """Run a statement; its rows are fetched from the result."""

    @abstractmethod
    def _has_table(self, name: str) -> bool:
        """Return whether a table exists."""

    def _count(self) -> int:
        ((count,),) = self._run("SELECT count(*) FROM stored_events").fetchmany(1)
        return int(count)

    def _kept(self, rows: Sequence[Any]) -> list[KeptEvent]:
        keys = self._keys_of(self._mapper.owners((row[1], row[4]) for row in rows))
        return [
            self._mapper.to_kept(StoredEvent(row[1], row[2], row[3], row[4] or b""), row[0], keys)
            for row in rows
        ]

    def _parts(self, statement: str, item: Callable[[Any], T]) -> AsyncIterator[T]:
        return self._in_parts(statement, lambda rows: list(map(item, rows)))

    async def _in_parts(
        self, statement: str, items: Callable[[list[Any]], list[T]]
    ) -> AsyncIterator[T]:
        found = await self._read(self._run, statement)

        def part() -> list[T]:
            some: list[Any] = []
            size = 0
            while len(some) < _PART and size < _PART_BYTES:
                rows = [tuple(row) for row in found.fetchmany(self._at_once)]
                if not rows:
                    break
                size += sum(map(_size, rows))
                some += rows
            return items(some)

        while some := await self._read(part):
            for each in some:
                yield each


def _bytes(cell: Any) -> bytes:
    """Return the bytes of a cell; none for a value of another type, which only SQLite can hold."""
    return cell if isinstance(cell, bytes) else b""


def _whole(cell: Any) -> int:
    """Return the number in a cell; one that no tile has for a value of another type."""
    return cell if isinstance(cell, int) else -1


def _beginning(prefix: str) -> str:
    """Return the condition for ids that begin with a prefix of ours: letters and an underscore."""
    if not prefix:
        return ""
    if not _PREFIX.fullmatch(prefix):
        raise ValueError("not the beginning of an id")
    behind = f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
    return f"WHERE originator_id >= '{prefix}' AND originator_id < '{behind}'"


def _size(row: tuple[Any, ...]) -> int:
    return sum(len(cell) for cell in row if isinstance(cell, str | bytes))
