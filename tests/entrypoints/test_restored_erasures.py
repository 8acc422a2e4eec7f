"""A restored backup brings nobody back, also after a rotation of the code key and a kill (C-74, D-313)."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable, Collection
from contextlib import AsyncExitStack
from pathlib import Path

from attrs import evolve

from tests.entrypoints.cli.processes import environment, run
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
from tests.forked import forked
from watchword.application.ports.event_store import EventStore, Recorded
from watchword.domain.person import PersonErased
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings, StoreKind
from watchword.entrypoints.wired import Wired

STORES = ("sqlite", "postgresql")
GONE = [f"+4477009006{number}" for number in range(20, 25)]
PEOPLE = 1_000


async def erase(service: Wired, numbers: Collection[str]) -> list[str]:
    """Erase the people of some numbers, and return their ids."""
    async with listening(service) as caller:
        asked = ({"account": "demo", "destination": each} for each in numbers)
        return [
            (await caller.operated("POST", "/people/erase", each))["personId"] for each in asked
        ]


async def log_of(store: EventStore) -> list[Recorded]:
    """Return all events of a store."""
    log: list[Recorded] = []
    while more := await store.read_log(log[-1].position if log else 0, 1_000):
        log += more
    return log


async def check_gone(service: Wired, gone: Collection[str]) -> None:
    """Nobody finds the people of `GONE`, nothing opens them, and the store is whole."""
    assert {} == await service.store.people_named(gone)
    async with listening(service) as caller:
        for each in GONE:
            shown = await caller.operate(
                "POST", "/people/show", {"account": "demo", "destination": each}
            )

            assert (404, "person_not_found") == shown.refusal
    events = await log_of(service.store)
    checked = await service.reading_log.check()

    assert not any(number[1:] in str(each) for each in events for number in GONE)
    assert set(gone) == {each.stream for each in events if isinstance(each.event, PersonErased)}
    assert 0 == checked.total, checked.differences


async def test_erasures_outlive_a_rotation_and_a_restore(
    settings: Settings, back_up: Callable[[Settings], Settings], tmp_path: Path
) -> None:
    """
    Whoever is erased while two nodes wrap all keys anew stays erased, as does its old key in a backup.

    The nodes of the restored store move the old keys of all others to the new version.
    """
    load = Load()
    async with wired(evolve(settings, code_key=OLD)) as service, listening(service) as caller:
        await add_by_messages(caller, PEOPLE)
        pins = [await caller.created(each) for each in GONE]
    restored = back_up(settings)

    async with AsyncExitStack() as nodes:
        services = await started(nodes, settings, load)
        gone = await erase(services[-1], GONE)
        await until_moved(services[0].store)
        await load.until_more()
        await check_gone(services[0], gone)
    listed = ("--erasures", str(tmp_path / "erasures.jsonl"))
    done = run("restored", "--fallbacks", "end", "--store", str(restored.store), *listed)

    assert f" People erased again: {len(GONE)}." in done.stdout, done.stderr
    async with AsyncExitStack() as nodes:
        services = await started(nodes, restored, load)
        await until_moved(services[0].store)
        await load.until_more()
    async with loaded(restored, NEW, load) as service, listening(service) as caller:
        await load.until_more()
        await caller.advance(60)
        for each in pins:
            assert {"reason": "erased"} == (await caller.resend(each)).error["details"]
        await check_gone(service, gone)


async def started(nodes: AsyncExitStack, settings: Settings, load: Load) -> list[Wired]:
    """Start nodes with both versions of the code key, under load; SQLite has one node."""
    count = 2 if settings.store_url.kind is StoreKind.POSTGRESQL else 1
    return [await nodes.enter_async_context(loaded(settings, BOTH, load)) for _ in range(count)]


async def test_a_repeat_that_is_killed_goes_on(
    settings: Settings, back_up: Callable[[Settings], Settings], tmp_path: Path
) -> None:
    """Each batch of erasures is whole or absent, and the next run erases the rest."""
    async with wired(evolve(settings, code_key=OLD)) as service, listening(service) as caller:
        await add_by_messages(caller, PEOPLE)
    restored = back_up(settings)
    async with open_beside(restored) as store:
        people = {each.person for each in await log_of(store)} - {None}
        listed = tmp_path / "list.jsonl"
        listed.write_text("".join(f"{json.dumps({'personId': each})}\n" for each in people))
        where = ("--store", str(restored.store), "--erasures", str(listed))
        before = await store.newest()
        killed = forked(("restored", "--fallbacks", "end", *where), environment())
        try:
            async with asyncio.timeout(20):
                while await store.newest() == before:  # noqa: ASYNC110  the command adds events
                    await asyncio.sleep(0)
        finally:
            await asyncio.to_thread(killed.end, signal.SIGKILL)
        left = await store.people_named([str(each) for each in people])
        erased = {
            each.stream for each in await log_of(store) if isinstance(each.event, PersonErased)
        }

    assert erased
    assert people - erased == left.keys()
    assert left, "The kill came too late."
    again = run("restored", "--fallbacks", "end", *where)

    assert f" People erased again: {len(left)}." in again.stdout, again.stderr
    async with wired(evolve(restored, code_key=OLD)) as service:
        checked = await service.reading_log.check()

    assert 0 == checked.total, checked.differences
