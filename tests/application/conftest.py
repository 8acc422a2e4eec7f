"""A store of each kind, for tests of what is stored of people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import EventStore


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[EventStore]:
    """Yield a new store of each kind."""
    match request.param:
        case "memory":
            yield MemoryEventStore(vault=new_vault())
        case "sqlite":
            sqlite = await SqliteEventStore.open(tmp_path / "store.db", vault=new_vault())
            yield sqlite
            await sqlite.close()
        case _:
            url: str = request.getfixturevalue("postgres_url")
            postgres = await PostgresEventStore.open(url, vault=new_vault())
            yield postgres
            await postgres.close()
