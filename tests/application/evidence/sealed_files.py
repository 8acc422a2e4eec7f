"""A sealed store in a file, and what somebody may do to a copy of it who can write the file."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

from tests.application.evidence.log_signer import LogSigner
from tests.contracts.event_store.histories import NOON, grown, step
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.evidence.leaves import event_leaf
from watchword.application.evidence.tree import extended, root, root_tiles
from watchword.application.evidence.verifying_log import Verified, VerifyingLog
from watchword.application.journal import Journal
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.sealed_log import RawEvent
from watchword.verify_evidence import Verifier

SIGNER = LogSigner()
# Where heads are signed: within the first tile, at its end, and within the others.
HEADS = (90, 256, 300, 640, 700)
SIZE = HEADS[-1]
# Events that no tile covers yet.
UNSEALED = 5
STREAMS = 7
# Returns origin, root and note of a head from its size, its new root and its old note.
Sign = Callable[[int, bytes, str], tuple[str, bytes, str]]


async def grow(store: EventStore, since: int, to: int) -> None:
    """Append events of a few streams in turn, up to a position."""
    for position in range(since, to):
        version, stream = divmod(position, STREAMS)
        await store.append(step(grown(f"key-{stream}", at=version)))


async def seal(store: EventStore, signer: LogSigner = SIGNER) -> None:
    """Cover all events with tiles, and keep a signed head."""
    log = store.sealed_log
    size = await log.sealed_size()
    while (now := await log.extend(100)) != size:
        size = now
    head = root(size, await log.tiles(root_tiles(size)))
    await log.keep_head(signer.head(size, head, NOON + timedelta(seconds=size)))


async def make(path: Path, older: Path) -> None:
    """Make a sealed file, and a copy of it as it was at the last head but one."""
    store = await SqliteEventStore.open(path, vault=new_vault())
    since = 0
    for size in HEADS:
        await grow(store, since, size)
        await seal(store)
        if size == HEADS[-2]:
            with closing(sqlite3.connect(path)) as connection:
                connection.execute(f"VACUUM INTO '{older}'")
        since = size
    await grow(store, since, since + UNSEALED)
    await store.close()


async def verified(
    path: Path, keys: Sequence[Verifier] = tuple(SIGNER.verifiers), heads: Sequence[str] = ()
) -> Verified:
    """Verify a file."""
    store = await SqliteEventStore.open(path, read_only=True)
    try:
        return await VerifyingLog(Journal(store)).verify(keys, heads)
    finally:
        await store.close()


@contextmanager
def edited(whole: Path, to: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a copy of a file, on which all edits are written at the end."""
    shutil.copyfile(whole, to)
    with closing(sqlite3.connect(to)) as connection:
        yield connection
        connection.commit()


def raw_events(connection: sqlite3.Connection) -> list[RawEvent]:
    """Return all events of a file."""
    rows = connection.execute(
        "SELECT position, originator_id, originator_version, topic, state FROM stored_events"
        " ORDER BY position"
    )
    return [RawEvent(*row) for row in rows]


def recompute(connection: sqlite3.Connection, sign: Sign) -> None:
    """Make all tiles and heads anew for the events as they are now, as an attacker would."""
    sealed = connection.execute("SELECT max(size) FROM log_heads").fetchone()[0]
    leaves = [
        event_leaf(each, position)
        for position, each in enumerate(raw_events(connection)[:sealed], 1)
    ]
    tiles = extended(0, leaves, {})
    connection.execute("DELETE FROM log_tiles")
    connection.executemany(
        "INSERT INTO log_tiles VALUES (?, ?, ?)", [(*key, hashes) for key, hashes in tiles.items()]
    )
    for size, note in connection.execute("SELECT size, note FROM log_heads").fetchall():
        if size > len(leaves):
            connection.execute("DELETE FROM log_heads WHERE size = ?", (size,))
            continue
        values = sign(size, root(size, extended(0, leaves[:size], {})), note)
        connection.execute(
            "UPDATE log_heads SET origin = ?, root = ?, note = ? WHERE size = ?", (*values, size)
        )
