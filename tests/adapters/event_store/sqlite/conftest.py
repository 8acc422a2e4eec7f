"""Fixtures for the tests of the SQLite store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteEventStore]:
    """Yield an open store on a new file."""
    opened = await SqliteEventStore.open(path, vault=new_vault())
    yield opened
    await opened.close()
