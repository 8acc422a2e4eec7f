"""The SQLite store's file: one owner, everything in it for good, and usable after failures."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from attrs import evolve

from tests.adapters.event_store.neighbours import neighbour
from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    NOON,
    ORCHID,
    grown,
    loaded,
    per_seconds,
    second,
    step,
)
from tests.contracts.event_store.sample_rows import CALLBACK_DELIVERY, SAMPLES, written
from tests.fakes.clocks import MachineSeconds
from tests.fakes.loops import HurriedLoop
from tests.vaults import new_vault
from watchword.adapters.event_store.rows.tables import SCHEMA_VERSION
from watchword.adapters.event_store.sql.reads import DUE, NEXT_DUE
from watchword.adapters.event_store.sqlite.owner_lock import StoreInUse
from watchword.adapters.event_store.sqlite.snapshot import SqliteSnapshot
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import (
    Due,
    DueKind,
    KeyAnswered,
    KeyInProgress,
    RateReached,
    Reservation,
    StoreUnavailable,
)
from watchword.application.ports.sealer import SealKey
from watchword.application.records.account import AccountRow
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.message import MessageRow
from watchword.application.records.pin_template import PinTemplateRow
from watchword.domain.accounts.api_key import api_key_decider
from watchword.domain.conditions import Hold, WithinRate


async def test_the_file_stands_where_it_was_asked_for(path: Path, store: SqliteEventStore) -> None:
    """Folders are made, and no character of the path means anything else."""
    await store.append(step(grown(ORCHID)))

    with closing(sqlite3.connect(path)) as connection:
        assert (1,) == connection.execute("SELECT count(*) FROM stored_events").fetchone()


async def test_a_second_instance_is_refused(path: Path, store: SqliteEventStore) -> None:
    """One owner at a time; when it has closed, the next may have the file."""
    with pytest.raises(StoreInUse):
        await SqliteEventStore.open(path)

    await store.close()
    await (await SqliteEventStore.open(path)).close()


async def test_another_name_is_the_same_file(
    path: Path, tmp_path: Path, store: SqliteEventStore
) -> None:
    """A file has one owner, also when it is opened through a link."""
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with pytest.raises(StoreInUse):
        await SqliteEventStore.open(link)


async def test_a_second_process_is_refused_until_the_first_one_dies(path: Path) -> None:
    """A process owns the file as long as it lives; acknowledged events outlive the process."""
    async with neighbour(path):
        with pytest.raises(StoreInUse):
            await SqliteEventStore.open(path)
    store = await SqliteEventStore.open(path)
    found = await store.load(api_key_decider, ORCHID)
    await store.close()

    assert loaded(ORCHID, 2) == found


async def test_a_reader_stands_beside_a_running_store(path: Path, store: SqliteEventStore) -> None:
    """Opened read only, the file can be read while its owner writes, and never be written."""
    reader = await SqliteEventStore.open(path, read_only=True)
    await store.append(step(grown(ORCHID)))
    seen = [await reader.load(api_key_decider, ORCHID)]
    await store.append(step(grown(ORCHID, at=1)))
    seen.append(await reader.load(api_key_decider, ORCHID))
    with pytest.raises(StoreUnavailable):
        await reader.append(step(grown(FERN)))
    with pytest.raises(StoreUnavailable):
        await reader.keep_setting("mask", "one")
    await reader.close()

    assert [loaded(ORCHID, 1), loaded(ORCHID, 2)] == seen
    assert await store.setting("mask") is None


async def test_a_reader_reads_a_file_that_nobody_runs(path: Path, store: SqliteEventStore) -> None:
    """After the owner has closed, an auditor can still read everything."""
    await store.append(step(grown(ORCHID, by=3)))
    await store.close()
    reader = await SqliteEventStore.open(path, read_only=True)
    log = await reader.read_log(0, 10)
    await reader.close()

    assert [1, 2, 3] == [each.version for each in log]


def test_a_reader_makes_no_file(tmp_path: Path) -> None:
    """Reading an absent store is refused, and leaves nothing behind."""
    with pytest.raises(StoreUnavailable):
        asyncio.run(SqliteEventStore.open(tmp_path / "none.db", read_only=True))

    assert [] == list(tmp_path.iterdir())


async def test_everything_survives_closing_and_opening(path: Path, store: SqliteEventStore) -> None:
    """Events, uses, holders, keys, due rows, rows and settings are those of before."""
    taken = Reservation(scope="taken", fingerprints=("body",), owner="first")
    done = Reservation(scope="done", fingerprints=("body",), owner="first")
    due = Due(DueKind.ORPHANED_DISPATCH, ORCHID, 1, second(3))
    rate = WithinRate("sends", per_seconds(1), NOON)
    await store.append(step(grown(ORCHID, by=2), conditions=(rate, Hold("pot", FERN)), due=(due,)))
    await written(store, SAMPLES.values())
    await store.append(step(taking=taken))
    await store.append(step(taking=done))
    await store.append(step(completing=done, answer=b"\x00answer"))
    await store.keep_setting("mask", "one")
    log = await store.read_log(0, 10)
    await store.close()
    again = await SqliteEventStore.open(path)

    assert loaded(ORCHID, 2) == await again.load(api_key_decider, ORCHID)
    assert log == await again.read_log(0, 10)
    assert {FERN} == await again.holders("pot")
    assert [due] == list(await again.due(due.kind, second(3), 10))
    assert SAMPLES[PinTemplateRow] == await again.row(PinTemplateRow, "template-tea")
    assert "one" == await again.setting("mask")
    with pytest.raises(RateReached):
        await again.append(step(conditions=(rate,)))
    with pytest.raises(KeyAnswered, match="answer"):
        await again.check_key(done, NOON)
    assert [3] == list(await again.append(step(grown(ORCHID, at=2))))
    await again.close()


async def test_a_key_whose_process_died_is_free_at_once(
    path: Path, store: SqliteEventStore
) -> None:
    """The file has one owner, so a lease from an earlier process has no owner."""
    taken = Reservation(scope="taken", fingerprints=("body",), owner="first")
    await store.append(step(taking=taken))
    with pytest.raises(KeyInProgress):
        await store.check_key(taken, NOON)
    await store.close()
    again = await SqliteEventStore.open(path)

    await again.check_key(taken, NOON)
    assert [] == list(await again.append(step(taking=evolve(taken, owner="second"))))
    await again.close()


async def test_a_clock_that_is_set_back_frees_no_key_in_progress(path: Path) -> None:
    """A lease taken after the machine's clock stepped back is as good as any other."""
    machine_seconds = MachineSeconds()
    store = await SqliteEventStore.open(path, real_time=machine_seconds)
    machine_seconds.forward(-5)
    taken = Reservation(scope="taken", fingerprints=("body",), owner="first")
    await store.append(step(taking=taken))
    with pytest.raises(KeyInProgress):
        await store.check_key(taken, NOON)
    with pytest.raises(KeyInProgress):
        await store.append(step(taking=evolve(taken, owner="second")))
    await store.close()


@pytest.mark.parametrize("read_only", [False, True])
async def test_a_newer_schema_is_refused(
    path: Path, store: SqliteEventStore, read_only: bool
) -> None:
    """A store that a newer release has written is left alone, and not held."""
    await store.keep_setting("schema", "1000")
    await store.close()
    with pytest.raises(StoreUnavailable, match="another release"):
        await SqliteEventStore.open(path, read_only=read_only)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE settings SET value = ? WHERE name = 'schema'", (str(SCHEMA_VERSION),)
        )

    await (await SqliteEventStore.open(path)).close()


@pytest.mark.parametrize("read_only", [False, True])
async def test_a_store_from_before_the_first_release_is_refused(
    path: Path, read_only: bool
) -> None:
    """Its form has no way over. The refusal says which versions wrote it, and the file stays as it is."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        connection.execute("INSERT INTO settings VALUES ('schema', '1')")
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"before 0\.1, with schema 1\..* no way over"):
            await SqliteEventStore.open(path, read_only=read_only)

    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        assert [("settings",)] == tables.fetchall()


async def test_a_position_is_never_used_twice(path: Path, store: SqliteEventStore) -> None:
    """The newest events are deleted by hand; the next event still gets a position of its own (D-315)."""
    assert [1, 2, 3] == list(await store.append(step(grown(ORCHID, by=3))))
    await store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM stored_events WHERE position > 1")
    again = await SqliteEventStore.open(path)

    assert [4] == list(await again.append(step(grown(FERN))))
    await again.close()


async def test_a_backup_keeps_every_position(path: Path, store: SqliteEventStore) -> None:
    """`VACUUM INTO` copies a log with a gap, and the counter, which the backup goes on with."""
    for stream in (ORCHID, FERN, MOSS):
        await store.append(step(grown(stream)))
    await store.close()
    backup = path.with_name("backup.db")
    with closing(sqlite3.connect(path)) as connection:
        with connection:
            connection.execute("DELETE FROM stored_events WHERE position = 2")
        connection.execute("VACUUM INTO ?", (str(backup),))
        connection.execute("VACUUM")
    for file in (path, backup):
        again = await SqliteEventStore.open(file)
        await again.append(step(grown("key-after")))

        assert [1, 3, 4] == [each.position for each in await again.read_log(0, 10)]
        await again.close()


async def test_a_file_from_before_a_read_model_can_be_audited(
    path: Path, store: SqliteEventStore
) -> None:
    """A reader finds no rows of a list that is newer than the file; its next owner adds the table."""
    await store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE messages")
    reader = await SqliteEventStore.open(path, read_only=True)
    async with reader.snapshot() as snapshot:
        assert [] == [row async for row in snapshot.rows(MessageRow)]
    await reader.close()
    again = await SqliteEventStore.open(path, vault=new_vault())
    await written(again, [SAMPLES[MessageRow]])

    assert SAMPLES[MessageRow] == await again.row(MessageRow, "message-tea")
    await again.close()


async def test_a_file_from_before_a_column_gets_it(path: Path, store: SqliteEventStore) -> None:
    """The next owner adds what rows can be without, keeps the rows, and an audit finds nothing (D-495)."""
    delivery = evolve(CALLBACK_DELIVERY, last_answer=None)
    vault = new_vault()
    await store.close()
    first = await SqliteEventStore.open(path, vault=vault)
    await written(first, [delivery])
    await first.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE callback_deliveries DROP COLUMN sealed_changing")
    again = await SqliteEventStore.open(path, vault=vault)
    async with again.snapshot() as snapshot:
        assert [] == await snapshot.flaws()

    assert delivery == await again.row(CallbackDeliveryRow, delivery.id)
    await written(again, [evolve(delivery, last_answer="tea is out")])
    changed = await again.row(CallbackDeliveryRow, delivery.id)
    assert changed is not None
    assert "tea is out" == changed.last_answer
    await again.close()


@pytest.mark.parametrize("read_only", [False, True])
async def test_a_file_that_is_no_database_is_refused(tmp_path: Path, read_only: bool) -> None:
    """Any other file is left as it is, and not held."""
    path = tmp_path / "shopping list.txt"
    path.write_text("tea, sugar, a second kettle\n" * 100)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="not a database"):
            await SqliteEventStore.open(path, read_only=read_only)

    assert path.read_text().startswith("tea, sugar")


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """If the file cannot be created, the store is unavailable."""
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnavailable):
        await SqliteEventStore.open(tmp_path / "file" / "store.db")


async def test_what_the_database_refuses_costs_the_neighbours_nothing(
    path: Path, store: SqliteEventStore
) -> None:
    """When the database itself refuses one append of a batch, the others are written."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            f"CREATE TRIGGER no_moss BEFORE INSERT ON stored_events"
            f" WHEN NEW.originator_id = '{MOSS}' BEGIN SELECT RAISE(ABORT, 'no moss'); END"
        )
    streams = [MOSS if number % 7 == 3 else f"key-{number}" for number in range(40)]
    told = await asyncio.gather(
        *(store.append(step(grown(stream))) for stream in streams), return_exceptions=True
    )

    assert [stream == MOSS for stream in streams] == [
        isinstance(each, StoreUnavailable) for each in told
    ]
    assert [stream for stream in streams if stream != MOSS] == [
        each.stream for each in await store.read_log(0, 100)
    ]
    assert await store.load(api_key_decider, MOSS) is None


async def test_a_full_disk_is_told_and_forgotten(store: SqliteEventStore) -> None:
    """While there is no room, writes are refused and leave nothing; then the store works again."""
    await store.append(step(grown(ORCHID)))
    limit_pages(store, 1)
    refused = 0
    for number in range(200):
        try:
            await store.append(step(grown(f"key-{number}", by=20)))
        except StoreUnavailable:
            refused += 1
    kept = await store.read_log(0, 10_000)
    limit_pages(store, 1_000_000)
    positions = await store.append(step(grown(ORCHID, at=1)))

    assert refused >= 190
    assert 1 + 20 * (200 - refused) == len(kept)
    assert [len(kept) + 1] == list(positions)
    assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)


def limit_pages(store: SqliteEventStore, pages: int) -> None:
    """Let the file have no more pages than these, or than it has."""
    pool = store._recorder.datastore.pool
    with ExitStack() as stack:
        for _ in range(pool.num_in_pool):
            connection = stack.enter_context(store._recorder.datastore.get_connection(commit=False))
            connection.cursor().execute(f"PRAGMA max_page_count = {pages}")


async def test_a_lost_race_reads_the_file_again(path: Path, store: SqliteEventStore) -> None:
    """When the kept state turns out to be behind the file, the next load is fresh."""
    await store.append(step(grown(ORCHID, by=2)))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM stored_events WHERE originator_version = 2")
    with pytest.raises(Exception, match="moved on"):
        await store.append(step(grown(ORCHID, at=2)))

    assert loaded(ORCHID, 1) == await store.load(api_key_decider, ORCHID)


async def test_a_column_that_is_fixed_keeps_its_first_value(store: SqliteEventStore) -> None:
    """Fixed columns, and their indexes, are written once."""
    account = SAMPLES[AccountRow]
    assert isinstance(account, AccountRow)
    await store.append(step(rows=(account,)))
    changed = AccountRow(id="account-tea", name="new", created_at=NOON, suspended_at=None)
    await store.append(step(rows=(changed,)))

    assert evolve(account, suspended_at=None) == await store.row(AccountRow, "account-tea")


async def test_a_read_that_hangs_is_told_in_time(store: SqliteEventStore) -> None:
    """A reader gets its refusal while the thread still hangs; other reads go on."""
    hanging = threading.Event()
    with pytest.raises(StoreUnavailable, match="in time"):
        await store._readers.run(hanging.wait, patience=0.01)

    assert await store.setting("schema")
    hanging.set()


def test_a_snapshot_may_be_looked_through_for_long(path: Path) -> None:
    """An audit of a large file reads for longer than any request may wait for its store."""

    async def look_for_long() -> bool:
        store = await SqliteEventStore.open(path)
        try:
            async with store.snapshot() as snapshot:
                assert isinstance(snapshot, SqliteSnapshot)
                # Twenty seconds of this loop.
                return await snapshot._read(threading.Event().wait, 0.2)
        finally:
            await store.close()

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        assert not runner.run(look_for_long())


async def test_a_closed_store_is_unavailable(store: SqliteEventStore) -> None:
    """After closing, every call says so, and closing again does nothing."""
    await store.close()
    await store.close()

    with pytest.raises(StoreUnavailable):
        await store.append(step(grown(ORCHID)))
    with pytest.raises(StoreUnavailable):
        await store.load(api_key_decider, ORCHID)
    with pytest.raises(StoreUnavailable):
        await store.setting("schema")


async def test_closing_writes_what_waits(path: Path, store: SqliteEventStore) -> None:
    """An append that was accepted before closing is durable, and its caller gets its result."""
    appends = [asyncio.create_task(store.append(step(grown(f"key-{n}")))) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    positions = await asyncio.gather(*appends)
    again = await SqliteEventStore.open(path)
    log = await again.read_log(0, 100)
    await again.close()

    assert [[number] for number in range(1, 51)] == [list(each) for each in positions]
    assert 50 == len(log)


async def test_what_is_due_is_one_seek(path: Path) -> None:
    """The index alone answers, in its order, without a scan or a sort, however many rows wait."""
    await (await SqliteEventStore.open(path)).close()

    for statement, given in ((DUE, ("fallback", "2031", 10)), (NEXT_DUE, ("fallback",))):
        with closing(sqlite3.connect(path)) as connection:
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", given).fetchall()

        ((*_, only),) = plan
        assert only.startswith("SEARCH due USING COVERING INDEX due_by_time (kind=?")


async def test_a_dropped_seal_key_is_not_in_the_file(path: Path) -> None:
    """A dropped key is overwritten: no page, used or free, contains it (D-38)."""
    keys = [SealKey(f"run_{number}", 1, f"<{number:064}>".encode()) for number in range(600)]
    store = await SqliteEventStore.open(path)
    for start in range(0, 600, 60):
        await store.append(step(keeping=tuple(keys[start : start + 60])))
        await store.append(step(dropping=tuple(key.name for key in keys[: start + 30])))
    await store.close()
    kept = await asyncio.to_thread(path.read_bytes)

    assert [key.name for key in keys[570:]] == [key.name for key in keys if key.wrapped in kept]
