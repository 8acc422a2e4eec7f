"""What must hold of a store that came back: it is whole, and has what its backup promised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import perf_counter

from attrs import frozen

from tests.crash.checks import check_store, explained
from tests.crash.load import Client, put_under_load, set_up
from tests.crash.notebook import Exchange, Notebook
from tests.crash.record import Record
from tests.crash.server import Server, connected
from tests.crash.waiting import until
from tests.entrypoints.cli.processes import run
from watchword.domain.pin import PinVerified

_PATIENCE = 60


@frozen
class Load:
    """The load on a server, which goes on until the server is killed."""

    notebook: Notebook
    _server: Server
    _task: asyncio.Task[None]

    async def goes_on(self, verified: int) -> None:
        """Wait until so many more codes were verified."""
        wanted = len(self.notebook.answered("verify", 200)) + verified
        await until(lambda: len(self.notebook.answered("verify", 200)) >= wanted, _PATIENCE)

    async def kill(self) -> float:
        """Kill the server, and return when that was."""
        self._server.kill()
        at = perf_counter()
        await self._task
        return at

    def verified_before(self, moment: float) -> list[Exchange]:
        """Return the verifications whose answers came before a moment."""
        answered = self.notebook.answered("verify", 200)
        return [each for each in answered if each.sent_at + each.seconds < moment]


@asynccontextmanager
async def loaded(server: Server, workers: int = 4) -> AsyncIterator[Load]:
    """Put a server under load; it must have been killed at the end of the block."""
    async with connected(server) as session:
        client = Client(session, Notebook())
        templates = await set_up(session)
        task = asyncio.create_task(put_under_load(client, templates, Random(4711), workers))
        yield Load(client.notebook, server, task)
        await task


def lost(record: Record, exchanges: Iterable[Exchange]) -> list[Exchange]:
    """Return the acknowledged verifications that a store does not have."""
    kept = {each.request_id for each in record.log if isinstance(each.event, PinVerified)}
    return [each for each in exchanges if each.request_id not in kept]


async def check_restored(database: Path | str, flags: tuple[str, ...]) -> Record:
    """Take a store back into use as the guide says, check it as operators do, and return what it has."""
    before = await Record.of(database)
    assert () == before.checked.differences, explained(before)
    taken = await asyncio.to_thread(
        run, "restored", "--fallbacks", "end", "--last-head", "none", *flags
    )
    assert 0 == taken.returncode, taken.stderr
    checked = await asyncio.to_thread(run, "audit", "check", *flags)
    assert 0 == checked.returncode, checked.stdout + checked.stderr
    after = await Record.of(database)
    check_store(after)
    return after
