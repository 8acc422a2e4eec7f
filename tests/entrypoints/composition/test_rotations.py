"""A rotation of the code key wraps all keys anew while requests go on, and survives a kill (C-3, D-313)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import step
from tests.crash.server import connected, serving
from tests.entrypoints.conftest import listening
from tests.entrypoints.rotating import (
    BOTH,
    NEW,
    OLD,
    Load,
    add_by_messages,
    loaded,
    open_beside,
    until_moved,
)
from watchword.adapters.keyring import Keyring, KeyringError
from watchword.adapters.vault import INDEX, Vault
from watchword.application.ports.event_store import EventStore
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings, StoreKind

PEOPLE, MANY = 1_000, 20_000


async def add_people(store: EventStore, people: int) -> None:
    """Let a store know many people, whose keys the old version wraps; no event names them."""
    vault = Vault(Keyring.parse(OLD))
    key = await store.seal_key(INDEX)
    assert key is not None
    vault.learn([key])
    for first in range(0, people, 1_000):
        numbers = range(first, min(first + 1_000, people))
        hmacs = (vault.hmac("acc_tea", f"4478{number:08}") for number in numbers)
        new = tuple(vault.new_person("acc_tea", each) for each in hmacs)
        await store.append(step(new_people=new))


@pytest.mark.stores("sqlite", "postgresql")
async def test_keys_move_while_requests_go_on(settings: Settings) -> None:
    """
    Nodes are restarted one after the other, as the guide says, and each does the work of all.

    A node that still wraps with the old version moves no key back, and its people are moved as well.
    Then the old version may go; before, no node starts without it.
    """
    load = Load()
    async with wired(evolve(settings, code_key=OLD)) as service, listening(service) as caller:
        await add_by_messages(caller, PEOPLE)
    with pytest.raises(KeyringError, match="need version 1"):
        async with wired(evolve(settings, code_key=NEW)):
            pass
    async with AsyncExitStack() as first, AsyncExitStack() as last:
        # SQLite has one node.
        two = settings.store_url.kind is StoreKind.POSTGRESQL
        if two:
            await last.enter_async_context(loaded(settings, f"{OLD},{NEW}", load))
            await load.until_more()
        service = await first.enter_async_context(loaded(settings, BOTH, load))
        await load.until_more()
        await last.aclose()
        if two:
            await last.enter_async_context(loaded(settings, BOTH, load))
        await until_moved(service.store)
        await load.until_more()
    async with loaded(settings, NEW, load) as service:
        await load.until_more()
        checked = await service.reading_log.check()

    assert [] == [*checked.differences]


@pytest.mark.stores("sqlite", "postgresql")
async def test_a_rotation_that_was_killed_is_resumed(settings: Settings, tmp_path: Path) -> None:
    """The next start finds what is left under the old version; no person is lost, and none has two keys."""
    async with wired(evolve(settings, code_key=OLD)) as service:
        await add_people(service.store, MANY)
        people = await keys(service.store)
    file = tmp_path / "rotating.key"
    file.touch(mode=0o600)
    file.write_text(f"{BOTH}\n")
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
    vault = Vault(Keyring.parse(BOTH))
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
