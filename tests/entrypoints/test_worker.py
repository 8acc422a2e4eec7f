"""The worker goes on after a failure, and its log tells nobody's secrets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

import pytest

from tests.fakes.clocks import StillClock
from tests.fakes.stores import TroubledStore
from watchword.adapters.event_store.memory import MemoryEventStore
from watchword.adapters.randomness import SecretRandomness
from watchword.application.forgetting_answers import ForgettingAnswers
from watchword.application.journal import Journal
from watchword.application.ports.event_store import Due, DueKind
from watchword.application.recovering_dispatches import RecoveringDispatches
from watchword.entrypoints.worker.loop import run_worker

DESTINATION = "+919812345610"


class FailingStore(TroubledStore):
    """Fails with what it was working on in the text of its error."""

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Fail, unless out of reach."""
        await super().due(kind, until, limit)
        raise LookupError(f"no row for {DESTINATION}")


async def logged(store: FailingStore, caplog: pytest.LogCaptureFixture) -> str:
    """Let the worker look once, and give what it logged while it waits for the next look."""
    journal, clock = Journal(store), StillClock()
    recovering = RecoveringDispatches(journal, clock, SecretRandomness())
    worker = asyncio.create_task(run_worker(recovering, ForgettingAnswers(journal, clock)))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not worker.done()
    worker.cancel()
    with suppress(asyncio.CancelledError):
        await worker
    return caplog.text


async def test_a_failure_is_logged_without_its_text(caplog: pytest.LogCaptureFixture) -> None:
    """The kind and the place are there; what the error said is not."""
    text = await logged(FailingStore(MemoryEventStore()), caplog)

    assert "LookupError" in text
    assert "test_worker.py" in text
    assert DESTINATION not in text


async def test_a_store_out_of_reach_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    """No failure of the service: one line, and the next look."""
    store = FailingStore(MemoryEventStore())
    store.reachable = False

    assert "due_work_waits" in await logged(store, caplog)
    assert ["WARNING"] == [each.levelname for each in caplog.records]
