"""The event store alone in this process: writes, loads and folds through the port."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from attrs import define, field

from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.caller import THE_WORKER
from watchword.application.people.people import People
from watchword.application.ports.event_store import EventStore
from watchword.domain.pin import pin_decider
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

from .appends import LifeOfAPin, life_of_a_pin
from .plan import Plan

BATCHES = (1, 8, 64)
_SYNCS = 50
_FOLDS = 1000
_PAGE = bytes(4096)


@define
class StoreFound:
    """Seconds of each step, one figure per round."""

    written: dict[int, list[float]] = field(factory=lambda: {batch: [] for batch in BATCHES})
    loaded_from_disk: list[float] = field(factory=list)
    loaded_from_memory: list[float] = field(factory=list)
    folded: list[float] = field(factory=list)
    synced: list[float] = field(factory=list)


async def measure_store(plan: Plan, directory: Path, advance: Callable[[str], None]) -> StoreFound:
    """Measure the event store; `advance` gets the name of each round."""
    settings = Settings(data_dir=directory / "store", sandbox=True)
    path = settings.store_url.path
    assert path is not None
    found = StoreFound()
    destinations = (f"+1555{number:09}" for number in itertools.count())
    for number in range(plan.rounds):
        advance(f"store alone: round {number + 1} of {plan.rounds}")
        found.synced.append(_sync(directory / "sync"))
        # The sandbox's tenant owns the PINs. A worker would disturb the measurement.
        async with wired(settings, run_due=False) as service:
            account_id = await service.accounts.resolve(THE_WORKER, "demo")
            lives: list[LifeOfAPin] = []
            for batch in BATCHES:
                groups = max(plan.pins_per_round // batch, 1)
                lives = list(_lives(service.people, account_id, destinations, groups * batch))
                found.written[batch].append(await _write(service.store, lives, batch))
        await _load(path, lives, found)
        found.folded.append(_fold(lives[0]))
    return found


def _lives(
    people: People, account_id: str, destinations: Iterator[str], count: int
) -> Iterator[LifeOfAPin]:
    now = datetime.now(UTC)
    for destination in itertools.islice(destinations, count):
        yield life_of_a_pin(people, account_id, destination, now)


async def _write(store: EventStore, lives: Sequence[LifeOfAPin], batch: int) -> float:
    began = perf_counter()
    for start in range(0, len(lives), batch):
        group = lives[start : start + batch]
        await asyncio.gather(*(store.append(life.issued) for life in group))
        await asyncio.gather(*(store.append(life.dispatched) for life in group))
        await asyncio.gather(*(store.append(life.verified) for life in group))
    return (perf_counter() - began) / (3 * len(lives))


async def _load(path: Path, lives: Sequence[LifeOfAPin], found: StoreFound) -> None:
    # A newly opened store has no cached states. The system's cache of the file stays warm.
    store = await SqliteEventStore.open(path)

    async def load_all() -> None:
        for life in lives:
            loaded = await store.load(pin_decider, life.pin_id)
            assert loaded is not None
            assert loaded.version == 3

    try:
        found.loaded_from_disk.append(await _timed(load_all) / len(lives))
        found.loaded_from_memory.append(await _timed(load_all) / len(lives))
    finally:
        await store.close()


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    began = perf_counter()
    await work()
    return perf_counter() - began


def _fold(life: LifeOfAPin) -> float:
    appends = (life.issued, life.dispatched, life.verified)
    events = [event for each in appends for change in each.changes for event in change.events]
    began = perf_counter()
    for _ in range(_FOLDS):
        pin_decider.fold(events)
    return (perf_counter() - began) / _FOLDS


def _sync(path: Path) -> float:
    """Time the disk: write and sync one page."""
    with path.open("wb", buffering=0) as file:
        began = perf_counter()
        for _ in range(_SYNCS):
            file.write(_PAGE)
            os.fsync(file.fileno())
        return (perf_counter() - began) / _SYNCS
