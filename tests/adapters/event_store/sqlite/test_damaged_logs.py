"""A sealed log in a file that somebody edited is not sealed on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.application.evidence.sealed_files import grow
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.sealed_log import LogDamaged


@pytest.mark.parametrize(
    ("edit", "position"),
    [
        ("DELETE FROM stored_events WHERE position = 12", 12),
        ("DELETE FROM stored_events WHERE position > 7", 8),
        ("UPDATE stored_events SET state = CAST('one line' AS BLOB) WHERE position = 13", 13),
        ("DELETE FROM log_tiles WHERE level = 1", 300),
        ("UPDATE log_tiles SET hashes = substr(hashes, 1, 33) WHERE level = 0 AND tile = 1", 257),
        ("INSERT INTO log_tiles VALUES (0, 99, zeroblob(32))", 551),
    ],
)
async def test_what_does_not_go_on_is_damage(tmp_path: Path, edit: str, position: int) -> None:
    """A gap, an event in another form, and tiles that end elsewhere are named; no tile is written."""
    store = await SqliteEventStore.open(tmp_path / "store.db", vault=new_vault())
    log = store.sealed_log
    sealed = 10 if "stored_events" in edit else 300
    await grow(store, 0, sealed)
    await log.extend(sealed)
    await grow(store, sealed, sealed + (5 if sealed == 10 else 250))
    with closing(sqlite3.connect(tmp_path / "store.db")) as file:
        file.execute(edit)
        file.commit()
        before = file.execute("SELECT * FROM log_tiles ORDER BY 1, 2").fetchall()

        with pytest.raises(LogDamaged) as damaged:
            await log.extend(1_000)

        assert position == damaged.value.position
        assert before == file.execute("SELECT * FROM log_tiles ORDER BY 1, 2").fetchall()
    await store.close()
