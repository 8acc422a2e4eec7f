"""How often a refusal on a remembered state is decided (D-118)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.event_store.histories import grown, step
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Loaded
from watchword.domain.accounts.api_key import ApiKey, UnauthorizedError, api_key_decider

KEY = "key_orchid"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteEventStore]:
    """Yield a store that remembers a key with one event."""
    opened = await SqliteEventStore.open(tmp_path / "store.db")
    await opened.append(step(grown(KEY)))
    yield opened
    await opened.close()


async def test_what_nobody_else_writes_is_decided_once(store: SqliteEventStore) -> None:
    """The remembered state is the store's, so the refusal stands."""
    seen: list[int] = []

    async def refuse(loaded: Loaded[ApiKey] | None) -> None:
        assert loaded is not None
        seen.append(loaded.version)
        raise UnauthorizedError("No.")

    with pytest.raises(UnauthorizedError):
        await Journal(store).decide_on_recalled(api_key_decider, KEY, refuse)

    assert [1] == seen


async def test_what_was_written_meanwhile_is_decided_anew(store: SqliteEventStore) -> None:
    """A refusal on a state that has moved on since is none."""

    async def decide(loaded: Loaded[ApiKey] | None) -> int:
        assert loaded is not None
        if loaded.version == 1:
            await store.append(step(grown(KEY, at=1)))
            raise UnauthorizedError("No.")
        return loaded.version

    assert 2 == await Journal(store).decide_on_recalled(api_key_decider, KEY, decide)
