"""On SIGTERM under load, the service finishes its work, and exits with 0 (C-1, R38)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.crash.burst import Burst
from tests.crash.checks import check_log, check_store
from tests.crash.load import (
    LOOPS,
    SEED,
    SILENT,
    Client,
    keep_silence,
    put_under_load,
    set_up,
)
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.server import connected, serving

# Each chain of stops has a store of its own, so that chains can run side by side.
STOPS = 5
STOP_SECONDS = 15


@pytest.mark.parametrize("chain", range(max(1, LOOPS * 2 // 3 // STOPS)))
async def test_what_is_begun_is_finished(tmp_path: Path, chain: int) -> None:
    """Every request before the signal is answered, and every answer is in the store."""
    random = Random(SEED + chain)
    notebook = Notebook()
    templates = None
    for stop in range(STOPS):
        # The silent provider keeps one request in flight for this long, also after the signal.
        async with (
            serving(tmp_path, "--provider-timeout", "1") as server,
            connected(server) as session,
        ):
            client = Client(session, notebook)
            templates = templates or await set_up(session)
            load = asyncio.gather(
                put_under_load(client, templates, random),
                # Once is enough: the stop then takes the provider's whole time-out.
                *([keep_silence(client, templates)] if stop == STOPS - 1 else []),
            )
            with Burst(server, templates, notebook) as burst:
                await burst.warm_up()
                # Not a wait for something: this is how long the load goes on.
                await asyncio.sleep(random.uniform(0, 0.5))
                burst.send()
                server.terminate()
                sent_before = await burst.answers()
            exit_code = await server.ended(STOP_SECONDS)
            await load

        assert [201] * len(sent_before) == [each.status for each in sent_before]
        assert 0 == exit_code
    record = await Record.of(tmp_path / "watchword.db")
    writing = {each.request_id for each in record.log if each.request_id.startswith("load-")}

    assert set() == writing - {each.request_id for each in notebook.exchanges if each.answered}
    assert any(each.body.get("destination") == SILENT for each in notebook.answered("create", 502))
    assert set() == record.undispatched
    check_log(notebook, record)
    check_store(record)


async def test_the_drain_is_bounded(tmp_path: Path) -> None:
    """A provider that stays silent for longer than the drain is not waited for."""
    notebook = Notebook()
    async with (
        serving(tmp_path, "--provider-timeout", "20", "--drain-timeout", "0.5") as server,
        connected(server) as session,
    ):
        client = Client(session, notebook)
        silence = asyncio.create_task(keep_silence(client, await set_up(session)))
        await _until_issued(tmp_path / "watchword.db")
        server.terminate()
        exit_code = await server.ended(STOP_SECONDS)
        await silence
    record = await Record.of(tmp_path / "watchword.db")

    assert 0 == exit_code
    assert 1 == len(record.undispatched)
    check_store(record)


async def _until_issued(database: Path) -> None:
    async with asyncio.timeout(STOP_SECONDS):
        while not (await Record.of(database)).undispatched:
            continue
