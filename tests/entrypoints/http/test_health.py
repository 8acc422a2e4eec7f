"""Readiness is about writes: a store that accepts none is not ready, even if it can be read (C-1)."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from tests.entrypoints.conftest import listening
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    """Keep everything in a file, which can be taken away."""
    return f"sqlite:///{tmp_path / 'store.db'}"


async def test_a_store_that_takes_no_writes_is_not_ready(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    """503 with Retry-After, a line in the log, and a process that says it lives."""
    async with wired(settings) as service, listening(service) as caller:
        await cast("SqliteEventStore", service.store).close()
        ready, live = await caller.get("/health/ready"), await caller.get("/health/live")

    assert (503, "1") == (ready.status, ready.headers["Retry-After"])
    assert "unavailable" == ready.json["status"]
    assert 200 == live.status
    assert "store_unavailable" in caplog.text
