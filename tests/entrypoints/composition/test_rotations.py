"""A rotation of the code key wraps all keys anew while requests go on, and survives a kill (C-3, D-313)."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from attrs import define, evolve, field

from tests.contracts.event_store.histories import step
from tests.crash.server import connected, serving
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.keyring import Keyring, KeyringError
from watchword.adapters.vault import INDEX, Vault
from watchword.application.ports.event_store import EventStore
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings, StoreKind
from watchword.entrypoints.wired import Wired

OLD, NEW = (f"{number}:{base64.b64encode(bytes([number]) * 32).decode()}" for number in (1, 2))
PEOPLE, MANY = 2_000, 20_000
ROUNDS_A_PHASE = 3


@define
class Load:
    """Creates and verifies PINs, for new people and for those whom another node met."""

    verified: int = 0
    _numbers: int = 0
    _met: list[str] = field(factory=list)

    async def go_on(self, caller: Caller, stopping: asyncio.Event) -> None:
        """Go on until the node is stopped; every answer must be right."""
        while not stopping.is_set():
            self._numbers += 1
            # Not the last digits by which the sandbox rejects a message.
            new = f"+447{self._numbers:07}77"
            await self._verify(caller, new)
            if self._met:
                await self._verify(caller, self._met.pop(0))
            self._met.append(new)

    async def _verify(self, caller: Caller, number: str) -> None:
        pin = await caller.created(number)
        reply = await caller.verify(pin, await caller.code(number))
        assert 200 == reply.status, reply.body
        self.verified += 1

    async def until_more(self) -> None:
        """Wait until the load has got on."""
        wanted = self.verified + ROUNDS_A_PHASE
        async with asyncio.timeout(20):
            while self.verified < wanted:  # noqa: ASYNC110  the load counts on
                await asyncio.sleep(0.01)


@asynccontextmanager
async def loaded(settings: Settings, code_key: str, load: Load) -> AsyncIterator[Wired]:
    """Run a node under load."""
    async with (
        wired(evolve(settings, code_key=code_key)) as service,
        listening(service) as caller,
        asyncio.TaskGroup() as group,
    ):
        stopping = asyncio.Event()
        group.create_task(load.go_on(caller, stopping))
        try:
            yield service
        finally:
            stopping.set()


async def meet(store: EventStore, people: int) -> None:
    """Let a store know many people, whose keys the old version wraps."""
    vault = Vault(Keyring.parse(OLD))
    key = await store.seal_key(INDEX)
    assert key is not None
    vault.learn([key])
    for first in range(0, people, 1_000):
        numbers = range(first, min(first + 1_000, people))
        met = tuple(vault.meet("acc_tea", f"4478{number:08}") for number in numbers)
        await store.append(step(meeting=met))


async def until_moved(store: EventStore) -> None:
    """Wait until no key is left under the old version."""
    async with asyncio.timeout(30):
        while await store.seals_under(1):  # noqa: ASYNC110  the worker moves them
            await asyncio.sleep(0.01)


@pytest.mark.stores("sqlite", "postgresql")
async def test_keys_move_while_requests_go_on(settings: Settings) -> None:
    """
    Nodes are restarted one after the other, as the guide says, and each does the work of all.

    A node that still wraps with the old version moves no key back, and its people are moved as well.
    Then the old version may go; before, no node starts without it.
    """
    load = Load()
    async with wired(evolve(settings, code_key=OLD)) as service:
        await meet(service.store, PEOPLE)
    with pytest.raises(KeyringError, match="need version 1"):
        async with wired(evolve(settings, code_key=NEW)):
            pass
    async with AsyncExitStack() as first, AsyncExitStack() as last:
        # SQLite has one node.
        two = settings.store_url.kind is StoreKind.POSTGRESQL
        if two:
            await last.enter_async_context(loaded(settings, f"{OLD},{NEW}", load))
            await load.until_more()
        service = await first.enter_async_context(loaded(settings, f"{NEW},{OLD}", load))
        await load.until_more()
        await last.aclose()
        if two:
            await last.enter_async_context(loaded(settings, f"{NEW},{OLD}", load))
        await until_moved(service.store)
        await load.until_more()
    async with loaded(settings, NEW, load) as service:
        await load.until_more()
        checked = await service.reading_log.check()

    # The people who were only met are in no event, and nothing else differs.
    assert {("person", "an event that names the person", "none")} == {
        (str(each.kind), each.expected, each.found) for each in checked.differences
    }
    assert PEOPLE == checked.total


@pytest.mark.stores("sqlite", "postgresql")
async def test_a_rotation_that_was_killed_is_resumed(settings: Settings, tmp_path: Path) -> None:
    """The next start finds what is left under the old version; no person is lost, and none has two keys."""
    async with wired(evolve(settings, code_key=OLD)) as service:
        await meet(service.store, MANY)
        people = await keys(service.store)
    file = tmp_path / "rotating.key"
    file.touch(mode=0o600)
    file.write_text(f"{NEW},{OLD}\n")
    flags = ("--store", str(settings.store), "--code-key-file", str(file))
    async with open_beside(settings) as beside:
        async with serving(tmp_path, *flags) as server, connected(server):
            async with asyncio.timeout(20):
                while not await beside.keys_under(2, 1, "per_"):  # noqa: ASYNC110  the server moves them
                    await asyncio.sleep(0)
            server.kill()
            await server.ended(20)
        left = await beside.seals_under(1)
        async with serving(tmp_path, *flags):
            await until_moved(beside)
        moved = await keys(beside)

    assert left, "The kill came too late."
    assert people == moved
    async with wired(evolve(settings, code_key=NEW)) as service, listening(service) as caller:
        assert 200 == (await caller.verify(await caller.created(), await caller.code())).status


async def keys(store: EventStore) -> dict[str, bytes]:
    """Return the secrets of all people's keys, by name."""
    vault = Vault(Keyring.parse(f"{NEW},{OLD}"))
    found: dict[str, bytes] = {}
    for version in (1, 2):
        passed = "per_"
        while page := await store.keys_under(version, 5_000, passed):
            passed = page[-1].name
            found |= {
                each.name: vault.event_key(each, "")
                for each in page
                if each.name.startswith("per_")
            }
    return found


@asynccontextmanager
async def open_beside(settings: Settings) -> AsyncIterator[EventStore]:
    """Open the store only to read, beside its node."""
    url = settings.store_url
    store: SqliteEventStore | PostgresEventStore
    if url.path is not None:
        store = await SqliteEventStore.open(url.path, read_only=True)
    else:
        store = await PostgresEventStore.open(url.text, read_only=True)
    try:
        yield store
    finally:
        await store.close()
