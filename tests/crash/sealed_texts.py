"""Whose texts are sealed in a store, and whose keys the store has, read without the store's own code."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from attrs import frozen

from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.rows.row_table import RowTable
from watchword.adapters.event_store.rows.sealed_column import has_members
from watchword.adapters.vault import Vault

_Select = Callable[[str], Sequence[Sequence[Any]]]


@frozen
class SealedTexts:
    """
    What a store holds at one moment.

    `in_events` and `in_rows` are the owners of sealed texts, `people` those people whose keys are there,
    and `others` the names of all other keys. `states` are the events as they stand.
    """

    in_events: frozenset[str]
    in_rows: frozenset[str]
    people: frozenset[str]
    others: frozenset[str]
    states: Sequence[bytes]

    @classmethod
    def of(cls, database: Path | str) -> SealedTexts:
        """Read a store, a file or the URL of a PostgreSQL, in one transaction."""
        if isinstance(database, Path):
            with closing(sqlite3.connect(database)) as file:
                file.execute("BEGIN")
                return cls._read(lambda statement: file.execute(statement).fetchall())
        with psycopg.connect(database) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            # The statements are those below, and have no parameters.
            return cls._read(lambda statement: connection.execute(statement.encode()).fetchall())

    @classmethod
    def _read(cls, select: _Select) -> SealedTexts:
        events = select("SELECT originator_id, state FROM stored_events")
        stored = [(stream, bytes(state)) for stream, state in events]
        return cls(
            in_events=frozenset(EventMapper(Vault(None)).owners(stored)),
            in_rows=frozenset(
                owner for table in ROW_TABLES.values() for owner in _owners(table, select)
            ),
            people=frozenset(person for (person,) in select("SELECT person FROM people")),
            others=frozenset(name for (name,) in select("SELECT name FROM seal_keys")),
            states=[state for _, state in stored],
        )

    @property
    def without_keys(self) -> frozenset[str]:
        """Return the owners of sealed texts that no key can open."""
        return (self.in_events | self.in_rows) - self.people - self.others


def _owners(table: RowTable[Any], select: _Select) -> Iterable[str]:
    """Yield the owners of the rows of a table in which anything is sealed."""
    personal = table.personal
    if personal is None:
        return
    columns = ", ".join(table.shape.columns)
    for row in select(f"SELECT {columns} FROM {table.name}"):  # noqa: S608  names of our tables
        if any(map(has_members, row[-len(personal.sealed) :])):
            yield personal.owner(row)
