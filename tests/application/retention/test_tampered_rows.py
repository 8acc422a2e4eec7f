"""Retention does what the log says, whatever somebody wrote into the rows of lists (C-75)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.application.retention.cellars import cellar, prune
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.domain.log_history import EventsPruned

_POLICY = "UPDATE retentions SET pins = '1d', messages = '1d', events = '1d'"
_EXPIRED = (
    "UPDATE verifications SET expires_at = '2020-01-01T00:00:00.000000+00:00',"
    " created_at = '2020-01-01T00:00:00.000000+00:00'"
)


@pytest.mark.parametrize("statement", [_POLICY, _EXPIRED])
async def test_a_row_that_was_edited_takes_nothing(tmp_path: Path, statement: str) -> None:
    """A row asks for less than the log keeps: nothing is recorded, and nothing goes."""
    path = tmp_path / "watchword.db"
    store = await SqliteEventStore.open(path, vault=new_vault())
    house = await cellar(store, pins="30d", messages="30d", events="90d")
    await house.issue()
    with closing(sqlite3.connect(path)) as file, file:
        assert 0 < file.execute(statement).rowcount
    await prune(house, days=3)
    log = await store.read_log(0, 1_000)
    await store.close()

    assert not [each for each in log if isinstance(each.event, EventsPruned)]
