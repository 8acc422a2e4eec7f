"""What of a SQLite file is not as the code makes it: tables, indexes, triggers, settings (C-91)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ...application.ports.snapshot import Flaw
from .mark_file import mark_of

_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
# Settings that stand in the file; all others are each connection's own, which makes sure of them.
_SETTINGS = ("application_id", "auto_vacuum", "encoding", "user_version")
_WRITE_AHEAD = 2
_WRITE_VERSION = 18

_Objects = Mapping[tuple[str, str], str]


def sqlite_flaws(connection: sqlite3.Connection, making: Sequence[str]) -> list[Flaw]:
    """Compare a file with an empty one that the statements `making` make."""
    with closing(sqlite3.connect(":memory:")) as model:
        for statement in making:
            model.execute(statement)
        return [
            *_object_flaws(_objects(model), _objects(connection)),
            *_setting_flaws(model, connection),
            *_journal_flaws(connection),
        ]


def _objects(connection: sqlite3.Connection) -> _Objects:
    return {
        (kind, name): " ".join((made or "").split())
        for kind, name, made in map(tuple, connection.execute(_OBJECTS))
    }


def _object_flaws(wanted: _Objects, found: _Objects) -> Iterator[Flaw]:
    for kind, name in sorted(wanted.keys() | found.keys()):
        expected, has = wanted.get((kind, name)), found.get((kind, name))
        if expected is None:
            yield Flaw(kind.capitalize(), name, "", "none", "one that the code does not make")
        elif has is None:
            yield Flaw(kind.capitalize(), name, "", "there", "missing")
        elif expected != has:
            yield Flaw(kind.capitalize(), name, "definition", expected, has)


def _setting_flaws(model: sqlite3.Connection, connection: sqlite3.Connection) -> Iterator[Flaw]:
    for name in _SETTINGS:
        (expected,) = model.execute(f"PRAGMA {name}").fetchone()
        (has,) = connection.execute(f"PRAGMA {name}").fetchone()
        if expected != has:
            yield Flaw("Setting", name, "", str(expected), str(has))


def _journal_flaws(connection: sqlite3.Connection) -> Iterator[Flaw]:
    file = Path(connection.execute("PRAGMA database_list").fetchone()[2])
    # A backup by VACUUM INTO has no write-ahead log yet; a store that was served has a mark beside it.
    if not mark_of(file).exists():
        return
    with file.open("rb") as opened:
        head = opened.read(_WRITE_VERSION + 1)
    if head[_WRITE_VERSION] != _WRITE_AHEAD:
        yield Flaw("Setting", "journal_mode", "", "wal", "another")
