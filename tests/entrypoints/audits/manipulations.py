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
from tools.golden_events import Keys, drafted, golden
from watchword.adapters.event_store.log.lines import lines_of
from watchword.adapters.keyring import Keyring
from watchword.adapters.vault import Vault
from watchword.application.audit.differences import Kind
from watchword.application.ports.sealer import SealKey

Change = Callable[[Path], object]

_TEXT = "CAST(state AS TEXT)"
_END = f"instr({_TEXT}, char(10))"
# The parts of an event's state: the JSON of its envelope, and what is sealed or secret.
OPEN_LINE = f"substr({_TEXT}, 1, {_END} - 1)"
OTHER_LINES = f"substr({_TEXT}, {_END})"


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
    """Change a member in the open line of the newest event of a topic; the value is SQL."""
    return (
        "UPDATE stored_events SET state ="
        f" CAST(json_set({OPEN_LINE}, '$.{path}', {value}) || {OTHER_LINES} AS BLOB)"
        f" WHERE rowid = {newest(topic)}"
    )


def resealed(topic: str, **members: Any) -> Change:
    """Change sealed and secret members of the newest event of a topic, as only the code key can."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            whose, state, name = connection.execute(
                f"SELECT originator_id, state, topic FROM stored_events WHERE rowid = {newest(topic)}"
            ).fetchone()
            keys, vault = _keys(connection), _vault(folder)
            draft = drafted(state, keys, vault, whose)
            assert draft["data"].keys() >= members.keys()
            draft["data"] |= members
            connection.execute(
                f"UPDATE stored_events SET state = ? WHERE rowid = {newest(topic)}",
                (golden(*_form(name), draft, keys, vault, whose),),
            )

    return change


def forged(topic: str, behind: str, **data: Any) -> Change:
    """Append an event to the stream of another: with all that an event has, at the newest time."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            whose = connection.execute(f"SELECT {stream(behind)}").fetchone()[0]
            _append(folder, connection, whose, f"{topic}/1", data)

    return change


def copied(topic: str) -> Change:
    """Append the newest event of a topic once more, with an id of its own, as only the code key can."""

    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / STORE)) as connection, connection:
            whose, state, name = connection.execute(
                "SELECT originator_id, state, topic FROM stored_events"
                f" WHERE rowid = {newest(topic)}"
            ).fetchone()
            draft = drafted(state, _keys(connection), _vault(folder), whose)
            _append(folder, connection, whose, name, draft["data"])

    return change


def _append(
    folder: Path, connection: sqlite3.Connection, whose: str, name: str, data: dict[str, Any]
) -> None:
    """Append an event to a stream: at the newest time, and for the owner of the stream."""
    keys, vault = _keys(connection), _vault(folder)
    version, state = connection.execute(
        "SELECT originator_version, state FROM stored_events WHERE originator_id = ?"
        " ORDER BY originator_version DESC",
        (whose,),
    ).fetchone()
    position, last_state = connection.execute(
        "SELECT max(rowid), state FROM stored_events"
    ).fetchone()
    latest = json.loads(lines_of(last_state).open)["at"]
    draft = drafted(state, keys, vault, whose)
    draft |= {"id": "evt_forged", "at": latest, "data": data}
    state = golden(*_form(name), draft, keys, vault, whose)
    values = (position + 1, whose, version + 1, name, state)
    connection.execute(
        "INSERT INTO stored_events (position, originator_id, originator_version, topic, state)"
        " VALUES (?, ?, ?, ?, ?)",
        values,
    )


def _form(name: str) -> tuple[str, int]:
    kind, _, schema = name.partition("/")
    return kind, int(schema)


def _vault(folder: Path) -> Vault:
    return Vault(Keyring.read(folder / "code.key"))


def _keys(connection: sqlite3.Connection) -> Keys:
    found = connection.execute(
        "SELECT person, key_version, wrapped_key FROM people"
        " UNION ALL SELECT name, version, wrapped FROM seal_keys"
    ).fetchall()
    keys = {name: SealKey(name, version, wrapped) for name, version, wrapped in found}
    return lambda owners: {each: keys[each] for each in owners}


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
