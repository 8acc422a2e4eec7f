"""Asked to stop under load, the service finishes what it has begun, and ends well (C-1, R38)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random

import pytest

from tests.crash.load import Client, Notebook, put_under_load, set_up
from tests.crash.record import Record
from tests.crash.server import connected, serving

LOOPS = int(os.environ.get("WATCHWORD_CRASH_LOOPS", "10")) // 2
SEED = int(os.environ.get("WATCHWORD_CRASH_SEED", "4711"))
STOP_SECONDS = 15


@pytest.mark.parametrize("loop", range(LOOPS))
async def test_what_is_begun_is_finished(tmp_path: Path, loop: int) -> None:
    """Whatever a request has written was answered, and whatever was answered is written."""
    random = Random(SEED + loop)
    notebook = Notebook()
    # The silent provider keeps one request in flight for this long, also after the signal.
    async with serving(tmp_path, "--provider-timeout", "1") as server, connected(server) as session:
        templates = await set_up(session)
        load = asyncio.create_task(put_under_load(Client(session, notebook), templates, random))
        # Not a wait for something: this is how long the load goes on.
        await asyncio.sleep(random.uniform(0.05, 0.8))
        server.terminate()
        exit_code = await server.ended(STOP_SECONDS)
        await load
    record = await Record.of(tmp_path / "watchword.db")
    writing = {each.request_id for each in record.log if each.request_id.startswith("load-")}
    answered = {told.request_id for told in notebook.told if told.answered}
    successful = {t.request_id for t in notebook.told if t.status in (200, 201, 422, 502)}

    assert 0 == exit_code
    assert set() == writing - answered
    assert set() == successful - writing
    assert any(told.body.get("destination", "").endswith("0004") for told in notebook.told)
    assert set() == record.undispatched
    assert set() == record.due
    assert () == record.checked.differences
