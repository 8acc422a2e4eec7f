"""A SQLite store on read-only media: it is read, or the refusal says why not (C-38, D-120)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adapters.event_store.neighbours import neighbour
from tests.contracts.event_store.histories import FERN, ORCHID, grown, loaded, step
from tests.read_only_folders import open_folder, read_only
from watchword.adapters.event_store.sqlite.at_rest import RestingDatastore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import StoreUnavailable
from watchword.domain.accounts.api_key import api_key_decider


@pytest.fixture
def path() -> Iterator[Path]:
    """Yield a path in a folder that everybody may look into."""
    with open_folder() as folder:
        yield folder / "a?mode=ro#b%20 é.db"


@pytest.fixture
async def stopped(path: Path) -> Path:
    """Return the path of a store with two events, which was closed."""
    store = await SqliteEventStore.open(path)
    await store.append(step(grown(ORCHID, by=2)))
    await store.close()
    return path


@pytest.fixture
async def killed(path: Path, tmp_path: Path) -> Path:
    """Return the path of a store as a kill leaves it, with two events in its write-ahead log."""
    store = await SqliteEventStore.open(tmp_path / "store.db")
    await store.append(step(grown(ORCHID, by=2)))
    for end in ("", "-wal", "-shm"):
        shutil.copy(tmp_path / f"store.db{end}", path.with_name(path.name + end))
    await store.close()
    return path


async def reading(path: Path) -> SqliteEventStore:
    """Open a store for reading alone."""
    return await SqliteEventStore.open(path, read_only=True)


async def test_a_stopped_store_is_read_as_it_lies(stopped: Path) -> None:
    """Streams, log and snapshot, and nothing is left beside it."""
    there = sorted(stopped.parent.iterdir())
    with read_only(stopped.parent):
        reader = await reading(stopped)
        found = await reader.load(api_key_decider, ORCHID)
        log = await reader.read_log(0, 10)
        async with reader.snapshot() as snapshot:
            kept = [each.version async for each in snapshot.events()]
            damage = await snapshot.damage()
        await reader.close()

    assert loaded(ORCHID, 2) == found
    assert ([1, 2], [1, 2], []) == ([each.version for each in log], kept, list(damage))
    assert there == sorted(stopped.parent.iterdir())


async def test_a_running_store_is_read_beside_its_writer(path: Path) -> None:
    """A reader sees events that are still in the write-ahead log alone."""
    async with neighbour(path):
        with read_only(path.parent):
            reader = await reading(path)
            found = await reader.load(api_key_decider, ORCHID)
            await reader.close()

    assert loaded(ORCHID, 2) == found


async def test_a_killed_store_is_read_with_what_it_wrote_last(killed: Path) -> None:
    """Nothing that was acknowledged is missing."""
    with read_only(killed.parent):
        reader = await reading(killed)
        found = await reader.load(api_key_decider, ORCHID)
        await reader.close()

    assert loaded(ORCHID, 2) == found


async def test_a_killed_store_without_its_index_is_not_read_in_part(killed: Path) -> None:
    """Without its last writes it would be another store; the message says what to do."""
    killed.with_name(f"{killed.name}-shm").unlink()
    with (
        read_only(killed.parent),
        pytest.raises(StoreUnavailable, match=r"Copy it together with .*-wal to a folder"),
    ):
        await reading(killed)


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_service_that_comes_meanwhile_is_noticed(stopped: Path, leaves: bool) -> None:
    """A read during which a service came, or came and went, is refused: it may mix two moments."""
    with read_only(stopped.parent):
        reader = await reading(stopped)
        before = await reader.read_log(0, 10)
    service = await SqliteEventStore.open(stopped)
    await service.append(step(grown(FERN)))
    if leaves:
        await service.close()

    with pytest.raises(StoreUnavailable, match=r"opened by a service while it was read\. Try"):
        await reader.read_log(0, 10)
    with pytest.raises(StoreUnavailable, match=r"opened by a service while it was read\. Try"):
        async with reader.snapshot() as snapshot:
            await snapshot.size()
    await service.close()
    await reader.close()

    assert [1, 2] == [each.version for each in before]


async def test_a_service_that_came_just_before_is_noticed(stopped: Path) -> None:
    """A service that opens the file after the check for a writer makes the read refuse."""
    service = await SqliteEventStore.open(stopped)
    await service.append(step(grown(FERN)))
    resting = RestingDatastore(stopped)

    with (
        pytest.raises(StoreUnavailable, match=r"opened by a service while it was read\. Try"),
        resting.get_connection(commit=False),
    ):
        pass
    resting.close()
    await service.close()


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
async def test_a_file_that_may_not_be_read_is_named(killed: Path, end: str) -> None:
    """The refusal names the user who may read it."""
    hidden = killed.name + end
    with read_only(killed.parent, hidden=hidden), pytest.raises(StoreUnavailable) as refused:
        await reading(killed)

    assert str(refused.value) == (
        f"The store's file {killed}{end} cannot be read. Audit it as the user that serves it."
    )


async def test_who_would_write_there_is_told_what_is_missing(stopped: Path) -> None:
    """A service cannot use a folder where it can create nothing."""
    with (
        read_only(stopped.parent),
        pytest.raises(StoreUnavailable, match=r"Check its folder, and who may write there\."),
    ):
        await SqliteEventStore.open(stopped)
