"""Manipulations of a store by a person who can write it but not sign, and how an audit names them (C-91)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.entrypoints.audits.audited_store import STORE
from watchword.application.audit.differences import Kind

Change = Callable[[Path], object]


@frozen
class Case:
    """A manipulation of the folder of a store; `at` and `whose` ask for position and id before it."""

    name: str
    change: Change
    kind: Kind
    at: str | None = None
    whose: str | None = None


def sql(*statements: str) -> Change:
    """Change the database by statements."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            for each in statements:
                connection.execute(each)

    return change


def one(folder: Path, question: str) -> Any:
    """Return one value of a store."""
    with closing(sqlite3.connect(folder / STORE)) as connection:
        return connection.execute(question).fetchone()[0]


def newest(topic: str) -> str:
    """Ask for the position of the newest event of a topic."""
    return f"(SELECT max(rowid) FROM stored_events WHERE topic LIKE '{topic}/%')"


def stream(topic: str) -> str:
    """Ask for the stream of the newest event of a topic."""
    return f"(SELECT originator_id FROM stored_events WHERE rowid = {newest(topic)})"


def edited(topic: str, path: str, value: str) -> str:
    """Change a member of the newest event of a topic; the value is SQL."""
    return (
        f"UPDATE stored_events SET state = CAST(json_set(CAST(state AS TEXT), '$.{path}', {value})"
        f" AS BLOB) WHERE rowid = {newest(topic)}"
    )


def forged(topic: str, behind: str, **data: Any) -> Change:
    """Append an event to the stream of another: with all that an event has, at the newest time."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            whose = connection.execute(f"SELECT {stream(behind)}").fetchone()[0]
            version, position, state = connection.execute(
                "SELECT (SELECT max(originator_version) FROM stored_events WHERE originator_id = ?),"
                " max(rowid), state FROM stored_events",
                (whose,),
            ).fetchone()
            envelope = json.loads(state) | {"id": "evt_forged", "data": data}
            connection.execute(
                "INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state)"
                " VALUES (?, ?, ?, ?, ?)",
                (position + 1, whose, version + 1, f"{topic}/1", json.dumps(envelope).encode()),
            )

    return change


def copied(topic: str) -> Change:
    """Append the newest event of a topic once more, with an id of its own."""

    def change(folder: Path) -> None:
        data = json.loads(
            one(folder, f"SELECT state FROM stored_events WHERE rowid = {newest(topic)}")
        )
        name = one(folder, f"SELECT topic FROM stored_events WHERE rowid = {newest(topic)}")
        forged(topic, topic, **data["data"])(folder)
        sql(
            f"UPDATE stored_events SET topic = '{name}'"
            " WHERE rowid = (SELECT max(rowid) FROM stored_events)"
        )(folder)

    return change


def without_the_log(folder: Path) -> None:
    """Take the whole store away but its settings."""
    with closing(sqlite3.connect(folder / STORE)) as connection, connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in tables.fetchall():
            if name != "settings" and not name.startswith("sqlite_"):
                connection.execute(f"DELETE FROM {name}")


def in_the_files(work: Change) -> Change:
    """Do something to the first hosted file."""
    return lambda folder: work(min((folder / "media").glob("med_*")))


def changed(name: str, topic: str, path: str, value: str, kind: Kind = Kind.LIFE) -> Case:
    """Edit the newest event of a topic."""
    return Case(name, sql(edited(topic, path, value)), kind, at=f"SELECT {newest(topic)}")


def appended(name: str, change: Change, behind: str | None = None) -> Case:
    """Append an event that no command makes, to the stream of another event if one is named."""
    whose = None if behind is None else f"SELECT {stream(behind)}"
    return Case(name, change, Kind.LIFE, at="SELECT max(rowid) + 1 FROM stored_events", whose=whose)
