"""What was deleted is nowhere in the store's files once they were scrubbed (C-74)."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from tests.contracts.event_store.histories import grown, step
from tests.vaults import KEYRING, new_vault
from tests.warmed import WarmWriter
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import KeyWrapping
from watchword.application.ports.event_store import PersonRecord

ERASED = 300
STAYING = 100


@pytest.fixture(params=["thread", "process"])
async def store(
    request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[SqliteEventStore]:
    """Yield a store, written by a thread and by a process of its own."""
    monkeypatch.setattr(subprocess, "Popen", WarmWriter)
    opened = await SqliteEventStore.open(
        path, writer_process=request.param == "process", vault=new_vault()
    )
    yield opened
    await opened.close()


async def met(store: SqliteEventStore, count: int) -> list[PersonRecord]:
    """Return people whom the store meets, a few in each append, so that its pages are split."""
    vault = new_vault()
    hmacs = [vault.hmac("acc_garden", f"9198{number}") for number in range(count)]
    people = [vault.new_person("acc_garden", each) for each in hmacs]
    for first in range(0, count, 7):
        await store.append(step(new_people=tuple(people[first : first + 7])))
    return people


async def erased(store: SqliteEventStore, people: Iterable[PersonRecord]) -> None:
    """Erase people one by one, in whatever batches that makes."""
    await asyncio.gather(*(store.append(step(erasing=(each.person_id,))) for each in people))


def found(path: Path, texts: Iterable[bytes]) -> int:
    """Count the texts that are in the file or its write-ahead log."""
    files = [path, path.with_name(f"{path.name}-wal")]
    contents = b"".join(each.read_bytes() for each in files if each.exists())
    return sum(each in contents for each in texts)


def traces(people: Iterable[PersonRecord]) -> list[bytes]:
    """Return all by which a person could be found or opened: the wrapped key, the HMAC and the id."""
    return [
        trace
        for each in people
        for trace in (each.key.wrapped, each.hmac.encode(), each.person_id.encode())
    ]


async def test_no_byte_of_erased_keys_is_left(path: Path, store: SqliteEventStore) -> None:
    """They are in the files until the scrub, and the keys of all others stay."""
    people = await met(store, ERASED + STAYING)
    gone, staying = people[:ERASED], people[ERASED:]
    await erased(store, gone)
    before = found(path, traces(gone))

    assert await store.scrub()
    assert 3 * ERASED == before
    assert [0, 3 * STAYING] == [found(path, traces(each)) for each in (gone, staying)]


async def test_keys_in_their_earlier_wrapping_are_gone_too(
    path: Path, store: SqliteEventStore
) -> None:
    """A rotation replaces them, so that a lost version of the code key opens nothing on the disk."""
    people = await met(store, STAYING)
    anew = [(each.key, KeyWrapping(KEYRING).rewrapped(each.key)) for each in people]

    assert STAYING == await store.rewrap(anew)
    assert await store.scrub()
    assert [0, STAYING] == [found(path, [pair[which].wrapped for pair in anew]) for which in (0, 1)]


async def test_a_reader_of_an_earlier_state_is_in_the_way(
    path: Path, store: SqliteEventStore
) -> None:
    """The scrub says so at once, appends go on beside it, and it works when the reader has ended."""
    gone = await met(store, ERASED)
    async with store.snapshot():
        await erased(store, gone)
        scrubbed, *_ = await asyncio.gather(
            store.scrub(), *(store.append(step(grown(f"key-{each}"))) for each in range(9))
        )

        assert not scrubbed
        assert found(path, traces(gone))
    assert await store.scrub()
    assert 0 == found(path, traces(gone))


async def test_a_reader_of_the_newest_state_is_in_nobodys_way(
    path: Path, store: SqliteEventStore
) -> None:
    """An audit that began after the erasure and after a checkpoint reads the file, and not the log."""
    gone = await met(store, ERASED)
    await erased(store, gone)
    assert await store.scrub()
    async with store.snapshot():
        assert await store.scrub()
