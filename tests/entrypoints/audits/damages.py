"""Damages to the rows of a store on disk, made with SQL behind the back of its service."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count, cycle
from random import Random
from typing import Any

import psycopg
from sqlalchemy import Boolean, Integer

from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.application.records import REPLAYED
from watchword.entrypoints.settings import StoreUrl

# Runs a statement with `?` for parameters, and returns its rows.
Run = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
# Without these the load of a test could not name its account, nor show its key.
_NEEDED = ("account-name", "api-key")


def written(store: str, statement: str, parameters: Sequence[Any]) -> None:
    """Write one statement."""
    with _open(store) as run:
        run(statement, parameters)


def edit(store: str, topic: str, old: bytes, new: bytes) -> None:
    """Exchange a text in the newest event of a topic that has it."""
    with _open(store) as run:
        asked = "SELECT originator_id, originator_version, state FROM stored_events WHERE topic = ?"
        *_, (stream, version, state) = [each for each in run(asked, (topic,)) if old in each[2]]
        where = "WHERE originator_id = ? AND originator_version = ?"
        changed = (state.replace(old, new), stream, version)
        run(f"UPDATE stored_events SET state = ? {where}", changed)  # noqa: S608  our own texts


def damage(store: str, most: int, random: Random) -> int:
    """Damage up to `most` rows of every list, holders and due rows; return how many there are."""
    with _open(store) as run:
        return _damage(run, most, random)


@contextmanager
def _open(store: str) -> Iterator[Run]:
    path = StoreUrl(store).path
    if path is not None:
        with closing(sqlite3.connect(path, timeout=30)) as file, file:
            yield lambda statement, parameters: file.execute(statement, parameters).fetchall()
        return
    with psycopg.connect(store) as connection:

        def run(statement: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
            cursor = connection.execute(statement.replace("?", "%s").encode(), parameters)
            return cursor.fetchall() if cursor.description else []

        yield run


def _damage(run: Run, most: int, random: Random) -> int:
    done = sum(_damage_rows(run, each.row, most, random) for each in REPLAYED)
    return done + _damage_holders(run, most, random) + _damage_due(run, most, random)


def _damage_rows(run: Run, kind: Any, most: int, random: Random) -> int:
    """Delete rows, change a column of others, and add copies under keys of no stream."""
    table = ROW_TABLES[kind]
    every = f"SELECT {table.key} FROM {table.name} ORDER BY {table.key}"  # noqa: S608  our own names
    keys = [key for (key,) in run(every, ())]
    others = [each for each in table.table.columns if each.name != table.key]
    kept = list(keys)
    random.shuffle(keys)
    for number, key in enumerate(keys[:most]):
        at = f"WHERE {table.key} = ?"
        if number % 3 == 0 and len(kept) > 1:
            run(f"DELETE FROM {table.name} {at}", (key,))  # noqa: S608  our own names
            kept.remove(key)
            continue
        column = random.choice(others)
        if isinstance(column.type, Boolean):
            changed = f"NOT {column.name}"
        elif isinstance(column.type, Integer):
            changed = f"coalesce({column.name}, 0) + 7"
        else:
            changed = f"coalesce({column.name}, '') || 'damaged'"
        update = f"UPDATE {table.name} SET {column.name} = {changed} {at}"  # noqa: S608  our own names
        run(update, (key,))
    names = ", ".join(each.name for each in others)
    copied = f"SELECT ?, {names} FROM {table.name} WHERE {table.key} = ?"  # noqa: S608  our own names
    for number, key in zip(range(len(keys), most), cycle(kept), strict=False):
        run(f"INSERT INTO {table.name} ({table.key}, {names}) {copied}", (f"stray_{number}", key))
    return max(len(keys[:most]), most if kept else 0)


def _damage_holders(run: Run, most: int, random: Random) -> int:
    held = [
        each
        for each in run("SELECT subject, holder FROM holders ORDER BY 1, 2", ())
        if each[0].partition(":")[0] not in _NEEDED
    ]
    gone = random.sample(held, min(most // 2, len(held)))
    for pair in gone:
        run("DELETE FROM holders WHERE subject = ? AND holder = ?", pair)
    for number in range(most - len(gone)):
        run("INSERT INTO holders VALUES (?, ?)", (f"tea:{number}", random.choice(held)[1]))
    return most


def _damage_due(run: Run, most: int, random: Random) -> int:
    """Delete the due rows of fallbacks, and add some that no state wants."""
    due = run("SELECT kind, stream, number FROM due WHERE kind = 'fallback' ORDER BY 2", ())
    for key in due[:most]:
        run("DELETE FROM due WHERE kind = ? AND stream = ? AND number = ?", key)
    streams = [
        each for (each,) in run("SELECT DISTINCT originator_id FROM stored_events ORDER BY 1", ())
    ]
    wrong = zip(count(100), cycle(("orphaned_dispatch", "fallback", "no kind")), strict=False)
    for _ in range(most - len(due[:most])):
        number, kind = next(wrong)
        values = (kind, random.choice(streams), number, "2031-05-04T12:00:00.000000Z")
        run("INSERT INTO due (kind, stream, number, at) VALUES (?, ?, ?, ?)", values)
    return most
