"""The writer process: dies without harm, ends with its service, and keeps the file to itself."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.event_store.neighbours import neighbour
from tests.contracts.event_store.histories import FERN, ORCHID, grown, loaded, step
from watchword.adapters.event_store.batch.group_commit import GroupCommit
from watchword.adapters.event_store.sqlite import store as sqlite_store
from watchword.adapters.event_store.sqlite import writer_process
from watchword.adapters.event_store.sqlite.owner_lock import OwnerLock, StoreInUse
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.event_store.sqlite.writer_messages import LENGTH_BYTES
from watchword.adapters.event_store.sqlite.writer_process import WriterProcess
from watchword.application.ports.event_store import StoreRefusal, StoreUnavailable
from watchword.domain.accounts.api_key import api_key_decider


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteEventStore]:
    """Yield an open store whose writer is a process."""
    opened = await SqliteEventStore.open(path, writer_process=True)
    yield opened
    await opened.close()


def writer_of(store: Any) -> WriterProcess:
    """Return a store's writer."""
    writer: WriterProcess = store._writer._writer
    return writer


def impatient(store: SqliteEventStore, seconds: float) -> subprocess.Popen[bytes]:
    """Let a store wait so long for its writer, and return the one it has."""
    writer = writer_of(store)
    writer._hung_after = seconds
    # The wait that began when the store was opened was for longer.
    if writer._hung is not None:
        writer._hung.cancel()
        writer._hung = None
    return child_of(store)


def child_of(store: Any) -> subprocess.Popen[bytes]:
    """Return the process that is a store's writer."""
    child = writer_of(store)._child
    assert child is not None
    return child


async def appended(store: SqliteEventStore, stream: str) -> int:
    """Append to a new stream, again and again while the writer is away; returns how often it was."""
    away = 0
    while True:
        try:
            await store.append(step(grown(stream)))
        except StoreUnavailable:
            away += 1
            await asyncio.sleep(0.01)
        except StoreRefusal:
            # An append that was answered as unavailable had happened.
            return away
        else:
            return away


async def test_another_writer_takes_the_place_of_a_dead_one(store: SqliteEventStore) -> None:
    """Killed in the middle of work, it costs some 503s; nothing acknowledged is lost, nothing hangs."""
    await store.append(step(grown(ORCHID)))
    first = child_of(store)
    waiting = [asyncio.create_task(appended(store, f"key-{n}")) for n in range(200)]
    await asyncio.sleep(0)
    first.kill()
    async with asyncio.timeout(20):
        away = await asyncio.gather(*waiting)

    assert sum(away) > 0
    assert first != child_of(store)
    assert loaded(ORCHID, 1) == await store.load(api_key_decider, ORCHID)
    assert 201 == len(await store.read_log(0, 1000))


async def test_signals_to_the_whole_group_are_the_services_to_answer(
    store: SqliteEventStore,
) -> None:
    """Ctrl-C and a service manager reach the writer too: it goes on until the service is done."""
    await store.append(step(grown(ORCHID)))
    for each in (signal.SIGINT, signal.SIGTERM):
        child_of(store).send_signal(each)
    await store.append(step(grown(ORCHID, at=1)))

    assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)


async def test_a_writer_that_hangs_is_no_ready_store(store: SqliteEventStore) -> None:
    """The probe takes the path of an append, so it gets the answer that an append would get."""
    await store.probe()
    child_of(store).send_signal(signal.SIGSTOP)
    with pytest.raises(StoreUnavailable):
        await store.probe()
    child_of(store).send_signal(signal.SIGCONT)
    await store.probe()


async def test_a_writer_that_hangs_is_replaced(store: SqliteEventStore) -> None:
    """A child that says nothing for its time, with work before it, makes room for another."""
    hanging = impatient(store, 3.0)
    hanging.send_signal(signal.SIGSTOP)
    async with asyncio.timeout(20):
        away = await appended(store, ORCHID)

    assert away > 0
    assert hanging != child_of(store)
    assert -signal.SIGKILL == hanging.returncode


async def test_closing_does_not_wait_for_a_writer_that_hangs(store: SqliteEventStore) -> None:
    """Its callers get `unavailable`; then the process is ended."""
    await store.append(step(grown(ORCHID)))
    hanging = child_of(store)
    hanging.send_signal(signal.SIGSTOP)
    waiting = asyncio.create_task(store.append(step(grown(FERN))))
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await store.close()

    assert -signal.SIGKILL == hanging.returncode
    assert isinstance(waiting.exception(), StoreUnavailable)


async def test_what_was_told_unavailable_is_read_anew(store: SqliteEventStore) -> None:
    """A reply that was lost leaves no state behind that the file has left."""
    await store.append(step(grown(ORCHID)))
    child_of(store).send_signal(signal.SIGSTOP)
    waiting = asyncio.create_task(store.append(step(grown(ORCHID, at=1))))
    with pytest.raises(StoreUnavailable):
        await waiting
    child_of(store).send_signal(signal.SIGCONT)
    await store.probe()

    assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)


async def test_a_writer_that_lived_is_replaced_without_a_pause(
    store: SqliteEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the successor of a short-lived writer starts after a pause."""
    monkeypatch.setattr(writer_process, "AGAIN_AFTER", 60.0)
    writer_of(store)._started_at -= 61
    await store.append(step(grown(ORCHID)))
    child_of(store).kill()
    async with asyncio.timeout(20):
        await appended(store, FERN)

    assert loaded(FERN, 1) == await store.load(api_key_decider, FERN)


async def test_writers_that_die_at_once_come_with_pauses(
    store: SqliteEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that cannot live is started once a second, and not as fast as it dies."""
    started: list[object] = []
    opened = writer_of(store).open

    async def counted() -> None:
        started.append(None)
        await opened()
        child_of(store).kill()

    monkeypatch.setattr(writer_of(store), "open", counted)
    child_of(store).kill()
    for number in range(150):
        with suppress(StoreUnavailable):
            await store.append(step(grown(f"key-{number}")))
        await asyncio.sleep(0.01)

    assert 1 <= len(started) <= 3


async def test_it_ends_with_a_service_that_closes(store: SqliteEventStore) -> None:
    """After closing there is no process left."""
    child = child_of(store)
    await store.append(step(grown(ORCHID)))
    await store.close()

    assert 0 == child.returncode


async def test_it_ends_with_a_service_that_is_killed(path: Path) -> None:
    """It ends by itself, and the next service can lock the file at once."""
    async with neighbour(path, writer_process=True):
        pass
    store = await SqliteEventStore.open(path, writer_process=True)
    found = await store.load(api_key_decider, ORCHID)
    await store.close()

    assert loaded(ORCHID, 2) == found


async def test_the_file_is_taken_until_the_last_commit_is_over(
    path: Path, store: SqliteEventStore
) -> None:
    """A writer that outlives its service holds the lock for it."""
    await store.append(step(grown(FERN)))
    assert store._lock is not None
    # The service's own hold goes, as it does when it dies; its writer is still there.
    store._lock.release()
    store._lock = None
    with pytest.raises(StoreInUse):
        OwnerLock(path)
    await store.close()

    OwnerLock(path).release()


def test_a_writer_starts_without_what_it_does_not_need() -> None:
    """A writer that dies is replaced soon: SQLAlchemy took longer than all else that it loads."""
    spared = {"asyncio", "cattrs", "sqlalchemy", "structlog", "watchword.application.records"}
    program = (
        "import sys, watchword.adapters.event_store.sqlite.writer_main\n"
        f"print({spared} & {{*sys.modules}})\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )

    assert "set()\n" == done.stdout


def test_a_writer_that_fails_shows_nothing_of_what_came(path: Path) -> None:
    """One line on stderr names kind and place; the batch that it could not read is not in it (C-31)."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        body = b"CANARY"
        ours.sendall(len(body).to_bytes(LENGTH_BYTES, "little") + body)
        ours.shutdown(socket.SHUT_WR)
        ended = subprocess.run(
            [
                *(sys.executable, "-P", "-m", "watchword.adapters.event_store.sqlite.writer_main"),
                *(str(theirs.fileno()), str(path)),
            ],
            pass_fds=[theirs.fileno()],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    line = json.loads(ended.stderr)

    assert (1, "writer_failed") == (ended.returncode, line["event"])
    assert {"error", "trace"} < line.keys()
    assert "CANARY" not in ended.stderr


async def test_a_writer_that_is_slow_to_start_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An open store has a writer that commits, even if its start takes longer than an append may wait."""
    defaults: dict[str, float] = GroupCommit.__init__.__kwdefaults__ or {}
    monkeypatch.setitem(defaults, "answer_seconds", 0.01)
    monkeypatch.setattr(sqlite_store, "_STARTS", 10_000)
    commits: list[tuple[int, float]] = []

    store = await SqliteEventStore.open(
        path, writer_process=True, wrote=[lambda size, seconds: commits.append((size, seconds))]
    )

    assert commits
    await store.close()
