"""Killed in the middle of its work, the service loses nothing that it acknowledged (R3, R10, R14)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.crash.load import LOOPS, SEED, Client, keep_silence, put_under_load, set_up
from tests.crash.notebook import Notebook
from tests.crash.record import Record
from tests.crash.server import connected, serving
from tests.crash.service_checks import check_what_was_told

# Each chain of kills has a store of its own, so that chains can run side by side.
KILLS = 6


@pytest.mark.parametrize("chain", range(max(1, LOOPS // KILLS)))
async def test_nothing_acknowledged_is_lost(tmp_path: Path, chain: int) -> None:
    """Load, kill at a random moment, restart: every answer holds, and the store is consistent."""
    random = Random(SEED + chain)
    notebook = Notebook()
    templates = None
    for kill in range(KILLS + 1):
        # Where a key is free again, its silent provider is not waited for as long as before.
        async with (
            serving(tmp_path, "--provider-timeout", "1") as server,
            connected(server) as session,
        ):
            client = Client(session, notebook)
            if templates is None:
                templates = await set_up(session)
            else:
                record = await Record.of(tmp_path / "watchword.db")
                await check_what_was_told(client, templates, record, random)
                await check_keys_in_flight(client)
            if kill == KILLS:
                break
            load = asyncio.gather(
                put_under_load(client, templates, random),
                # Once is enough: learning that its key is free takes the provider's whole time-out.
                *([keep_silence(client, templates)] if kill == KILLS - 1 else []),
            )
            # Not a wait for something: this is how long the load goes on.
            await asyncio.sleep(random.uniform(0, 1.5))
            server.kill()
            await load


async def check_keys_in_flight(client: Client) -> None:
    """A key whose request died returns its saved answer or is free at once; it never hangs (C-10)."""
    retries = [
        client.post("create", each.path, each.body, each.key)
        for each in client.notebook.keys_in_flight()
    ]

    assert {each.status for each in await asyncio.gather(*retries)} <= {201, 502}
