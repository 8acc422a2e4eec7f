"""Differences of a SQLite file from the schema and settings of this release (C-91)."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ....application.ports.snapshot import Flaw
from ..log.mark_file import mark_of
from ..sql.definitions import differences

_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
# Settings that the file holds; every connection sets and checks the others.
_SETTINGS = ("application_id", "auto_vacuum", "encoding", "user_version")
# The storage class of values by the declared type of their column.
_KEPT_AS = {
    "TEXT": "text",
    "VARCHAR": "text",
    "INTEGER": "integer",
    "BOOLEAN": "integer",
    "FLOAT": "real",
    "BLOB": "blob",
}
# What Litestream adds to a file that it replicates: it reads and writes them alone (D-569).
_LITESTREAM = {
    "_litestream_lock": "CREATE TABLE _litestream_lock (id INTEGER)",
    "_litestream_seq": "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
}
_WRITE_AHEAD = 2
_WRITE_VERSION = 18


class _Column(NamedTuple):
    """A declared column; `hidden` is not 0 if an expression computes its values."""

    name: str
    kind: str
    hidden: int


# Definitions by kind and name.
_Objects = Mapping[str, Mapping[str, str]]


def sqlite_flaws(connection: sqlite3.Connection, making: Sequence[str]) -> list[Flaw]:
    """Compare a file with an empty one that the statements `making` create."""
    with closing(sqlite3.connect(":memory:")) as model:
        for statement in making:
            model.execute(statement)
        wanted = _objects(model)
        running = list(running_flaws(connection, wanted["table"]))
        return [
            *_object_flaws(wanted, _objects(connection)),
            *running,
            *(() if running else _value_flaws(model, connection)),
            *_setting_flaws(model, connection),
            *_journal_flaws(connection),
        ]


def _objects(connection: sqlite3.Connection) -> _Objects:
    objects: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for kind, name, made in map(tuple, connection.execute(_OBJECTS)):
        statement = " ".join((made or "").split())
        if _LITESTREAM.get(name) != statement:
            objects[kind][name] = statement
    return objects


def _object_flaws(wanted: _Objects, found: _Objects) -> Iterator[Flaw]:
    for kind in sorted(wanted.keys() | found.keys()):
        yield from differences(kind.capitalize(), wanted.get(kind, {}), found.get(kind, {}))


def running_flaws(connection: sqlite3.Connection, tables: Collection[str]) -> Iterator[Flaw]:
    """Return views and computed columns in place of tables; reading them runs statements."""
    kinds = connection.execute("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
    for name, kind in map(tuple, kinds.fetchall()):
        # SQLite ignores the case of table names.
        if name.lower() not in tables:
            continue
        if kind != "table":
            yield Flaw("Table", name, "kind", "table", kind, runs=True)
        for column in _columns(connection, name):
            if column.hidden:
                yield Flaw("Table", name, column.name, "a value", "an expression", runs=True)


def _value_flaws(model: sqlite3.Connection, connection: sqlite3.Connection) -> Iterator[Flaw]:
    """Return the columns that hold values of another type: SQLite accepts any, our readers do not."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    there = {name for (name,) in connection.execute(tables)}
    for (table,) in model.execute(tables).fetchall():
        if table not in there:
            continue
        has = {column.name for column in _columns(connection, table)}
        columns = [column for column in _columns(model, table) if column.name in has]
        others = ", ".join(
            f"sum({column.name} IS NOT NULL AND typeof({column.name}) <> '{_KEPT_AS[column.kind]}')"
            for column in columns
        )
        counts = connection.execute(f"SELECT {others} FROM {table}").fetchone()
        for column, count in zip(columns, counts, strict=True):
            if count:
                yield Flaw("Table", table, column.name, _KEPT_AS[column.kind], "another type")


def _columns(connection: sqlite3.Connection, table: str) -> Sequence[_Column]:
    question = "SELECT name, type, hidden FROM pragma_table_xinfo(?)"
    return [_Column(*row) for row in connection.execute(question, (table,))]


def _setting_flaws(model: sqlite3.Connection, connection: sqlite3.Connection) -> Iterator[Flaw]:
    for name in _SETTINGS:
        (expected,) = model.execute(f"PRAGMA {name}").fetchone()
        (has,) = connection.execute(f"PRAGMA {name}").fetchone()
        if expected != has:
            yield Flaw("Setting", name, "", str(expected), str(has))


def _journal_flaws(connection: sqlite3.Connection) -> Iterator[Flaw]:
    file = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    # A backup by VACUUM INTO has no write-ahead log yet. A store that was served has a mark beside it.
    if not mark_of(file).exists():
        return
    with file.open("rb") as opened:
        head = opened.read(_WRITE_VERSION + 1)
    if head[_WRITE_VERSION] != _WRITE_AHEAD:
        yield Flaw("Setting", "journal_mode", "", "wal", "another")
