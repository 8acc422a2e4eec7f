"""A batch in one SQLite transaction: the same as its appends one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.event_store.histories import NOON, grown, per_seconds, second, step
from tests.contracts.event_store.sample_people import ANNA, BERT
from tests.contracts.event_store.sample_rows import template
from tests.fakes.clocks import MachineSeconds
from tests.vaults import new_vault
from watchword.adapters.event_store.batch.facts import questions
from watchword.adapters.event_store.batch.packed_append import PackedAppend
from watchword.adapters.event_store.batch.packing import ROW_SHAPES, Packing
from watchword.adapters.event_store.batch.settling import Writes
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.event_store.sealing.owner_keys import OwnerKeys
from watchword.adapters.event_store.sqlite.batch import read_facts, write_batch
from watchword.adapters.event_store.sqlite.commit import commit
from watchword.adapters.event_store.sqlite.recorder import (
    BatchRecorder,
    DurableDatastore,
)
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.event_store.sqlite.writer_messages import (
    LENGTH_BYTES,
    batch_message,
    read_batch,
    read_shapes,
    read_verdicts,
    shapes_message,
    verdicts_message,
)
from watchword.application.ports.event_store import (
    Append,
    Due,
    DueKind,
    EventStore,
    Reservation,
    StoreRefusal,
)
from watchword.application.ports.listings import Query
from watchword.application.records.pin_template import PinTemplateRow
from watchword.domain.conditions import (
    Condition,
    GiveBack,
    Hold,
    Release,
    SoleHolder,
    StartAnew,
    Unchanged,
    VerifiedAfter,
    Verifies,
    WithinBudget,
    WithinRate,
    WithinTotal,
)

VAULT = new_vault()
STORE = MemoryEventStore(vault=VAULT)
PACKING = Packing(EventMapper(VAULT), OwnerKeys(VAULT, STORE), VAULT, STORE.recall)
NAMES = ("orchid", "fern", "moss")

names = st.sampled_from(NAMES)
small = st.integers(0, 2)
people = st.sampled_from((ANNA.person_id, BERT.person_id))
conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(
        lambda subject, count, at: WithinRate(subject, per_seconds(count, 3), second(at)),
        names,
        st.integers(1, 5),
        st.integers(0, 9),
    ),
    st.builds(WithinTotal, names, st.integers(-5, 5) | st.none(), small | st.none(), small),
    st.builds(SoleHolder, names, names, st.frozensets(names)),
    st.builds(Hold, names, names),
    st.builds(Release, names, names),
    st.builds(Unchanged, names, small),
    st.builds(
        lambda subject, count, at, counted, over: WithinBudget(
            subject, per_seconds(count, 3), second(at), f"{subject}-{over}", counted, over
        ),
        names,
        st.integers(1, 3),
        st.integers(0, 5),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(GiveBack, names, st.just(timedelta(seconds=3)), st.integers(0, 5).map(second)),
    st.builds(StartAnew, names),
    st.builds(VerifiedAfter, people, st.just(NOON), st.booleans()),
    st.builds(Verifies, people, st.integers(0, 4).map(lambda half: second(half * 43_200))),
)
reservations = st.builds(
    lambda scope, body, owner: Reservation(scope=scope, fingerprints=(body,), owner=owner),
    names,
    names,
    st.sampled_from(("first", "second")),
)
due_rows = st.builds(
    lambda stream, at: Due(DueKind.ORPHANED_DISPATCH, stream, 1, second(at)), names, small
)
rows = st.builds(lambda key, status: template(key, status=status), names, names)
changes = st.builds(
    lambda stream, at, by: grown(stream, at=at, by=by), names, small, st.integers(1, 2)
)
steps = st.builds(
    lambda changed, **more: step(*changed, **{k: v for k, v in more.items() if v is not None}),
    st.lists(changes, max_size=2, unique_by=lambda change: change.stream),
    conditions=st.lists(conditions, max_size=3).map(tuple),
    rows=st.lists(rows, max_size=2).map(tuple),
    due=st.lists(due_rows, max_size=2).map(tuple),
    done=st.lists(due_rows, max_size=1).map(tuple),
    taking=st.none() | reservations,
    new_people=st.sampled_from(((), (), (ANNA,), (BERT, ANNA))),
    erasing=st.sampled_from(((), (), (), (ANNA.person_id,))),
)
completions = st.builds(
    lambda reservation, answer: step(completing=reservation, answer=answer),
    reservations,
    st.sampled_from((b"one", b"two")),
)
batches = st.lists(st.lists(steps | completions, max_size=6), max_size=4)


@contextmanager
def recorder(path: Path) -> Iterator[BatchRecorder]:
    """Yield a recorder on a file."""
    datastore = DurableDatastore(f"file:{path}?mode=rw")
    try:
        yield BatchRecorder(
            datastore, read_shapes(shapes_message(ROW_SHAPES.values())[LENGTH_BYTES:])
        )
    finally:
        datastore.close()


def packed(append: Append) -> PackedAppend:
    """Pack an append as the store does."""
    return asyncio.run(PACKING.packed(append))


def write_here(recorder: BatchRecorder, batch: list[PackedAppend]) -> Sequence[Any]:
    """Write a batch as a writer thread does."""
    return commit(recorder, batch, 500.0)


def write_there(recorder: BatchRecorder, batch: list[PackedAppend]) -> Sequence[Any]:
    """Write a batch as a writer process does: there and back in bytes."""
    received, real_now = read_batch(batch_message(batch, 500.0)[LENGTH_BYTES:])
    results = commit(recorder, received, real_now)
    return read_verdicts(verdicts_message(results)[LENGTH_BYTES:])


def spelt_out(result: Sequence[int] | StoreRefusal) -> Any:
    """Return what became of an append, so that it can be compared."""
    if isinstance(result, StoreRefusal):
        return type(result), vars(result)
    return list(result)


async def one_by_one(store: EventStore, appends: Sequence[Append]) -> list[Any]:
    """Return the result of each append: its positions, or the refusal."""
    told: list[Any] = []
    for each in appends:
        try:
            told.append(spelt_out(await store.append(each)))
        except StoreRefusal as refusal:
            told.append(spelt_out(refusal))
    return told


async def picture(store: EventStore) -> Any:
    """Return what the port shows of everything in the batches."""
    page = await store.page(Query(rows=PinTemplateRow))
    return (
        [
            (each.position, each.stream, each.version, each.event)
            for each in await store.read_log(0, 1000)
        ],
        [await store.holders(name) for name in NAMES],
        [(each, each.at) for each in await store.due(DueKind.ORPHANED_DISPATCH, second(9), 99)],
        await store.people_named((ANNA.person_id, BERT.person_id)),
        page,
    )


@pytest.mark.parametrize("write", [write_here, write_there])
@settings(max_examples=settings().max_examples // 2)
@given(written=batches)
def test_batches_do_what_their_appends_would_do_one_by_one(
    write: Callable[[BatchRecorder, list[PackedAppend]], Sequence[Any]],
    written: list[list[Append]],
) -> None:
    """Verdicts, positions and everything kept are those of the same appends in turn."""

    async def compare(path: Path) -> None:
        memory = MemoryEventStore(MachineSeconds(500.0))
        await (await SqliteEventStore.open(path)).close()
        with recorder(path) as batch_recorder:
            for batch in written:
                expected = await one_by_one(memory, batch)
                results = write(batch_recorder, [await PACKING.packed(each) for each in batch])

                assert expected == [spelt_out(each) for each in results]
        reader = await SqliteEventStore.open(path, read_only=True)
        assert await picture(memory) == await picture(reader)
        await reader.close()

    with TemporaryDirectory() as folder:
        asyncio.run(compare(Path(folder) / "store.db"))


def test_a_batch_is_all_in_one_transaction(tmp_path: Path) -> None:
    """When the database breaks off in the middle of a batch, nothing of it is there."""
    path = tmp_path / "store.db"
    asyncio.run(_make(path))
    with recorder(path) as batch_recorder:
        with batch_recorder.datastore.transaction(commit=True) as cursor:
            cursor.execute(
                "CREATE TRIGGER no_due BEFORE INSERT ON due"
                " BEGIN SELECT RAISE(ABORT, 'nothing may be due'); END"
            )
        due = Due(DueKind.ORPHANED_DISPATCH, "fern", 1, second(1))
        batch = [packed(step(grown("orchid"))), packed(step(grown("fern"), due=(due,)))]

        with pytest.raises(Exception, match="nothing may be due"):
            batch_recorder.write(batch, 500.0)
        assert [] == list(batch_recorder.select_notifications(1, 10))
        assert [[1]] == [spelt_out(each) for each in batch_recorder.write(batch[:1], 500.0)]


def test_a_batch_may_be_larger_than_one_statement(tmp_path: Path) -> None:
    """SQLite takes some 32,000 values in a statement; one append may hold more."""
    path = tmp_path / "store.db"
    asyncio.run(_make(path))
    with recorder(path) as batch_recorder:
        many = packed(step(*(grown(f"stream-{number}") for number in range(7000))))
        (positions,) = batch_recorder.write([many], 500.0)

    assert list(range(1, 7001)) == spelt_out(positions)


def test_a_batch_may_ask_about_more_than_one_statement_does(tmp_path: Path) -> None:
    """The facts of many streams come in several answers, and each is that of its own stream."""
    path = tmp_path / "store.db"
    asyncio.run(_make(path))
    heights = {f"stream-{number}": 1 + number % 7 for number in range(200)}
    with recorder(path) as batch_recorder:
        batch_recorder.write(
            [packed(step(*(grown(name, by=height) for name, height in heights.items())))], 500.0
        )
        batch = [packed(step(grown(name, at=height))) for name, height in heights.items()]
        results = batch_recorder.write(batch, 500.0)

    first = 1 + sum(heights.values())
    assert [[first + number] for number in range(200)] == [spelt_out(each) for each in results]


@pytest.mark.parametrize(
    ("newest", "number"), [(0, 2), (1, 1)], ids=["a position", "the number of a use"]
)
def test_nothing_is_written_over(tmp_path: Path, newest: int, number: int) -> None:
    """Were settling wrong, SQLite itself would refuse the batch, and take all of it back."""
    path = tmp_path / "store.db"
    asyncio.run(_make(path))
    use = WithinRate("sends", per_seconds(9), second(1))
    with recorder(path) as batch_recorder:
        batch_recorder.write([packed(step(grown("orchid"), conditions=(use,)))], 500.0)
        events = packed(step(grown("fern"))).events
        wrong = Writes(uses={("sends", number): second(2)})
        with (
            pytest.raises(Exception, match="UNIQUE"),
            batch_recorder.datastore.transaction(commit=True) as cursor,
        ):
            write_batch(cursor, events, wrong, [], newest, ROW_SHAPES)
        right = batch_recorder.write([packed(step(grown("fern"), conditions=(use,)))], 500.0)

    assert [[2]] == [spelt_out(each) for each in right]


def test_a_batch_without_budgets_asks_for_no_tallies(tmp_path: Path) -> None:
    """No statement of its transaction names their table."""
    path = tmp_path / "store.db"
    asyncio.run(_make(path))
    statements: list[str] = []
    look = WithinBudget("prefix", per_seconds(1), NOON, "rule", counted=False)
    with recorder(path) as batch_recorder:
        for conditions in ((Hold("pot", "fern"),), (look,)):
            with batch_recorder.datastore.transaction(commit=True) as cursor:
                cursor.sqlite_cursor.connection.set_trace_callback(statements.append)
                read_facts(cursor, questions([step(conditions=conditions)]))
                cursor.sqlite_cursor.connection.set_trace_callback(None)

    asking = [text for text in statements if "FROM tallies" in text]
    assert 1 == len(asking)
    assert "'prefix'" in asking[0]


async def _make(path: Path) -> None:
    await (await SqliteEventStore.open(path)).close()
