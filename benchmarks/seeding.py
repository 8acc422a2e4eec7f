"""Fills a store with many PINs and messages: writes some as a service does, and copies them with SQL."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
from attrs import frozen

from watchword.application.people.people import People
from watchword.application.ports.event_store import Append, EventStore
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

from .appends import life_of_a_pin, sent_message
from .copying import DIGITS, ID_PART, POSTGRES, SQLITE, statements

_ORIGINALS = 1_000


@frozen
class Seeded:
    """Ids that a seeded store contains, and its number of events."""

    account_id: str
    pin_id: str
    message_id: str
    number: str
    events: int


async def seed(settings: Settings, count: int, originals: int = _ORIGINALS) -> Seeded:
    """Write `count` verified PINs and as many messages into an empty store of the sandbox."""
    originals = min(originals, count)
    ids = [f"{ID_PART}{secrets.token_hex(13)}" for _ in range(originals)]
    async with wired(settings, run_due=False) as service:
        account_id = await service.accounts.resolve("demo")
        present = len(await service.store.read_log(0, _ORIGINALS))
        lives = list(_lives(service.people, account_id, ids))
        for stage in range(4):
            await _write(service.store, [appends[stage] for appends in lives])
        (newest,) = await service.store.read_log(present + 5 * originals - 1, 2)
    copies = count // originals - 1
    copy = _copy_in_sqlite if settings.store_url.path else _copy_in_postgres
    await asyncio.to_thread(copy, settings, copies, newest.position - present, originals)
    return Seeded(
        account_id,
        f"pin_{ids[0]}",
        f"msg_{ids[0]}",
        _number(0),
        present + (newest.position - present) * (copies + 1),
    )


def _lives(people: People, account_id: str, ids: Sequence[str]) -> Iterator[Sequence[Append]]:
    first = datetime.now(UTC).replace(microsecond=999_999) - timedelta(hours=1)
    for number, each in enumerate(ids):
        at = first + timedelta(seconds=number)
        recipient = _number(number)
        life = life_of_a_pin(people, account_id, recipient, at, f"pin_{each}")
        message = sent_message(account_id, life.person_id, recipient, at, f"msg_{each}")
        yield life.issued, life.dispatched, life.verified, message


def _number(number: int) -> str:
    return f"+1{number:04}{DIGITS}"


async def _write(store: EventStore, appends: Sequence[Append]) -> None:
    await asyncio.gather(*(store.append(append) for append in appends))


def _copy_in_postgres(settings: Settings, copies: int, events: int, pins: int) -> None:
    with psycopg.connect(settings.store_url.text, autocommit=True) as connection:
        for statement in statements(POSTGRES, copies, events, pins):
            connection.execute(statement)
        # PostgreSQL's autovacuum would do the same soon after.
        connection.execute("VACUUM ANALYZE")


def _copy_in_sqlite(settings: Settings, copies: int, events: int, pins: int) -> None:
    with closing(sqlite3.connect(Path(settings.store_url.path or ""))) as connection:
        # No journal: a failed run starts again with a new file. The service sets its own mode later.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -500000")
        for statement in statements(SQLITE, copies, events, pins):
            connection.execute(statement)
            connection.commit()
