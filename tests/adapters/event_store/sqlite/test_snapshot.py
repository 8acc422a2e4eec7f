"""A snapshot of any file is read in parts that fit into memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.sqlite.reads import SQLITE
from watchword.adapters.event_store.sqlite.snapshot import SqliteSnapshot
from watchword.adapters.vault import Vault

T = TypeVar("T")

_MIB = 1 << 20


async def test_a_part_ends_by_its_bytes() -> None:
    """A part of large rows has few of them: four megabytes and the rest of the last row."""
    parts: list[int] = []

    async def read(work: Callable[..., T], *arguments: Any) -> T:
        result = work(*arguments)
        if isinstance(result, list):
            parts.append(len(result))
        return result

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE holders (holder, subject)")
        large = "x" * (_MIB * 3 // 2)
        connection.executemany("INSERT INTO holders VALUES (?, ?)", [(n, large) for n in "abcdefg"])
        snapshot = SqliteSnapshot(
            connection, read, EventMapper(Vault(None)), Vault(None), SQLITE, ()
        )
        found = [each.holder async for each in snapshot.holders()]

    assert (list("abcdefg"), [3, 3, 1, 0]) == (found, parts)


async def test_an_event_above_16_mib_is_not_read() -> None:
    """It is reported by its position as an event that cannot be read, and so is its place in the log."""

    async def read(work: Callable[..., T], *arguments: Any) -> T:
        return work(*arguments)

    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE TABLE stored_events"
            " (position INTEGER PRIMARY KEY, originator_id, originator_version, topic, state)"
        )
        event = b'{"id": "evt_1", "at": "2031-05-04T12:00:00Z", "request": "req_1"}'
        for version, size in ((1, 16 * _MIB), (2, 16 * _MIB + 1)):
            values = (version, "pin_1", version, "PinVerified/1", event.ljust(size))
            connection.execute("INSERT INTO stored_events VALUES (?, ?, ?, ?, ?)", values)
        snapshot = SqliteSnapshot(
            connection, read, EventMapper(Vault(None)), Vault(None), SQLITE, ()
        )
        kept = [(each.position, each.event) async for each in snapshot.events()]
        placed = [(each.position, each.event_id) async for each in snapshot.placed()]

    assert [(1, None), (2, None)] == kept
    assert [(1, "evt_1"), (2, None)] == placed
