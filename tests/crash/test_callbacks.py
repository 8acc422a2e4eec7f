"""Killed between an event and its callbacks, a node loses none of them, and makes none twice (C-33)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web
from attrs import define, field

from watchword.application.ports.event_store import Recorded
from watchword.entrypoints.embedding.service import Service
from watchword.entrypoints.embedding.service import open as open_service

KILLS = 50
# Events of the load; the demo's templates are approved before an endpoint exists.
TYPES = {"PinIssued": "pin.issued", "PinDispatched": "pin.dispatched"}


@define
class Receiver:
    """A receiver that notes, for each id, the events that came under it."""

    came: dict[str, list[str]] = field(factory=dict)

    async def handle(self, request: web.BaseRequest) -> web.Response:
        """Take a callback."""
        body = await request.text()
        self.came.setdefault(request.headers["webhook-id"], []).append(body)
        return web.Response()

    @property
    def received(self) -> Counter[tuple[str, str]]:
        """Return the number of ids for each type and PIN."""
        bodies = [json.loads(each[0]) for each in self.came.values()]
        return Counter((each["type"], each["data"]["pinId"]) for each in bodies)


@asynccontextmanager
async def receiving(receiver: Receiver) -> AsyncIterator[str]:
    """Receive on loopback, and return the address."""
    server = web.Server(receiver.handle)
    started = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{started.sockets[0].getsockname()[1]}/callbacks"
    finally:
        started.close()
        await server.shutdown(1)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_no_kill_loses_or_doubles_a_callback(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """After a kill at any moment, each event has one id, and each id one event."""
    store = f"sqlite:///{tmp_path / 'store.db'}"
    if kind == "postgresql":
        store = request.getfixturevalue("postgres_url")
        (tmp_path / "code.key").touch(mode=0o600)
        (tmp_path / "code.key").write_text("1:" + "a2V5" * 11 + "\n")
    receiver = Receiver()
    opened = partial(open_service, store, data_dir=tmp_path, sandbox=True, allow_private_urls=True)
    async with receiving(receiver) as address:
        async with opened() as service:
            endpoint = await service.callbacks.create("demo", address)
        acknowledged = await killed_nodes(store, tmp_path, KILLS)
        async with opened(run_worker=False) as service:
            assert service.sandbox is not None
            # Calls that were cut off are made again once they would have ended.
            await service.sandbox.advance(timedelta(minutes=1))
            log = await everything(service)
            listed = await service.callbacks.deliveries(endpoint)

    kept = Counter((TYPES[each.type], each.stream) for each in log if each.type in TYPES)
    assert kept == receiver.received
    assert listed.total == len(receiver.came)
    assert {"delivered"} == {each.status for each in listed.data}
    assert {1} == {len(set(bodies)) for bodies in receiver.came.values()}
    assert {("pin.issued", pin) for pin in acknowledged} <= set(kept)
    assert len(acknowledged) > KILLS


async def everything(service: Service) -> list[Recorded]:
    """Read the whole log."""
    found: list[Recorded] = []
    while page := await service.events.list(found[-1].position if found else 0, 1000):
        found += page
    return found


async def killed_nodes(store: str, data_dir: Path, kills: int) -> list[str]:
    """Kill nodes in the middle of their work, and return the PINs that they acknowledged."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WATCHWORD_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.crash.callback_node"),
        *(store, str(data_dir), str(kills), "6"),
        stdout=asyncio.subprocess.PIPE,
        env=environment,
        cwd=Path(__file__).parents[2],
    )
    output, _ = await process.communicate()
    assert 0 == process.returncode
    return output.decode().split()
