"""The promises of every event store about snapshots."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

import pytest

from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    ORCHID,
    event,
    grown,
    history,
    per_seconds,
    second,
    step,
)
from tests.contracts.event_store.sample_people import ANNA, BERT
from tests.contracts.event_store.sample_rows import SAMPLES, templates, written
from watchword.application.ports.event_store import (
    Checkpoint,
    Due,
    DueKind,
    EventStore,
    Reservation,
)
from watchword.application.ports.sealer import INDEX, KeyState, SealKey
from watchword.application.ports.snapshot import Held, KeptDue, KeptPerson, KeptRow
from watchword.application.records import REPLAYED
from watchword.application.records.pin_template import PinTemplateRow
from watchword.application.records.read_model import Row
from watchword.domain.conditions import Hold, Release, WithinRate

T = TypeVar("T")


async def every(source: AsyncIterator[T]) -> list[T]:
    """Walk to the end."""
    return [each async for each in source]


class SnapshotContract:
    """A snapshot is the whole store as of one moment, in the order of code points."""

    async def test_a_new_store_is_empty_and_whole(self, store: EventStore) -> None:
        """There is nothing in it, and nothing wrong with it."""
        async with store.snapshot() as snapshot:
            assert 0 == await snapshot.size()
            assert [] == await every(snapshot.events())
            assert [] == await every(snapshot.holders())
            assert [] == [row for each in REPLAYED for row in await every(snapshot.rows(each.row))]
            assert [] == list(await snapshot.damage())

    async def test_events_of_one_kind_come_alone(self, store: EventStore) -> None:
        """A prefix leaves out the streams whose ids begin otherwise."""
        ids = ("key_1", "key_2", "ke_1", "keys_1", "kez_1", "key")
        await store.append(step(*(grown(each) for each in ids)))
        async with store.snapshot() as snapshot:
            kept = await every(snapshot.events("key_"))

        assert ["key_1", "key_2"] == [each.stream for each in kept]

    async def test_events_come_by_stream_and_version(self, store: EventStore) -> None:
        """Each has its position in the log and its topic, whatever the order of writing."""
        first = await store.append(step(grown(ORCHID, by=2), grown(FERN)))
        second = await store.append(step(grown(MOSS), grown(ORCHID, at=2)))
        position = iter((*first, *second))
        placed = {
            place: next(position)
            for place in ((ORCHID, 1), (ORCHID, 2), (FERN, 1), (MOSS, 1), (ORCHID, 3))
        }

        async with store.snapshot() as snapshot:
            kept = await every(snapshot.events())

            assert 5 == await snapshot.size()
        assert [
            (*place, placed[place], event(*place))
            for place in ((FERN, 1), (MOSS, 1), (ORCHID, 1), (ORCHID, 2), (ORCHID, 3))
        ] == [(each.stream, each.version, each.position, each.event) for each in kept]
        assert ["ApiKeyCreated/1", "ApiKeyUsed/1"] == [each.topic for each in kept[2:4]]

    async def test_streams_are_in_the_order_of_code_points(self, store: EventStore) -> None:
        """Capitals before small letters, letters with accents behind, as `sorted` has it."""
        names = ["key-b", "key-B", "key-é", "key-_", "key-10", "key-2", "key-茶", "key-🫖"]
        for name in names:
            await store.append(step(grown(name)))

        async with store.snapshot() as snapshot:
            assert sorted(names) == [each.stream for each in await every(snapshot.events())]

    @pytest.mark.parametrize("kind", [each.row for each in REPLAYED])
    async def test_rows_are_as_they_were_written(self, store: EventStore, kind: type[Row]) -> None:
        """A row of every read model comes back whole, under its key."""
        await written(store, tuple(SAMPLES.values()))

        async with store.snapshot() as snapshot:
            (kept,) = await every(snapshot.rows(kind))

        assert SAMPLES[kind] == kept.row
        assert "tea" in kept.key

    async def test_rows_come_by_key(self, store: EventStore) -> None:
        """They are ordered by their keys, not by the order of writing."""
        await written(store, tuple(templates("cabD")))

        async with store.snapshot() as snapshot:
            kept = await every(snapshot.rows(PinTemplateRow))

        assert [KeptRow(row.id, row) for row in templates("Dabc")] == kept

    async def test_holders_come_by_holder_and_subject(self, store: EventStore) -> None:
        """Each holder is there with all its subjects."""
        held = [("tea", MOSS), ("tea", FERN), ("pot", MOSS), ("cup", MOSS)]
        await store.append(step(conditions=tuple(Hold(*each) for each in held)))
        await store.append(step(conditions=(Release("cup", MOSS),)))

        async with store.snapshot() as snapshot:
            assert [Held(FERN, "tea"), Held(MOSS, "pot"), Held(MOSS, "tea")] == await every(
                snapshot.holders()
            )

    async def test_what_is_kept_beside_the_rows_comes_in_order(self, store: EventStore) -> None:
        """Uses, due rows, seal keys, answers and numbers: all that an audit compares with the log."""
        later = second(5)
        taken = Reservation(scope="tea", fingerprints=("f",), owner="me")
        await store.append(
            step(
                conditions=tuple(
                    WithinRate(each, per_seconds(5), second(1)) for each in ("cup", "pot", "cup")
                ),
                due=(
                    Due(DueKind.FALLBACK, "run_b", 2, later),
                    Due(DueKind.CALLBACK, "dlv_a", 0, later),
                ),
                keeping=(SealKey("run_b", 1, b"b"), SealKey("run_a", 1, b"a")),
                checkpoints=(Checkpoint("pot", 0, 7), Checkpoint("cup", 0, 3)),
                taking=taken,
                new_people=(BERT, ANNA),
            )
        )
        await store.append(step(completing=taken, answer=b"ready"))

        async with store.snapshot() as snapshot:
            assert [("cup", 1), ("cup", 2), ("pot", 1)] == [
                (each.subject, each.number) for each in await every(snapshot.uses())
            ]
            assert [
                KeptDue("dlv_a", "callback", 0, later),
                KeptDue("run_b", "fallback", 2, later),
            ] == await every(snapshot.due())
            assert ["run_a", "run_b"] == [
                each.name for each in await every(snapshot.seals()) if each.name != INDEX
            ]
            opens = KeyState.OPENS
            assert [
                KeptPerson("per_anna", "account-garden", ANNA.hmac, opens),
                KeptPerson("per_bert", "account-garden", BERT.hmac, opens),
            ] == await every(snapshot.people())
            assert [("tea", b"ready")] == [
                (each.scope, each.answer) for each in await every(snapshot.answers())
            ]
            assert [("cup", 3), ("pot", 7)] == await every(snapshot.positions())

    async def test_the_log_comes_by_position(self, store: EventStore) -> None:
        """Each event has its place and its envelope; the newest position is the store's."""
        positions = await store.append(step(grown(ORCHID, by=2), grown(FERN)))

        async with store.snapshot() as snapshot:
            placed = await every(snapshot.placed())

        assert [(ORCHID, 1), (ORCHID, 2), (FERN, 1)] == [
            (each.stream, each.version) for each in placed
        ]
        assert list(positions) == [each.position for each in placed]
        assert 3 == len({each.event_id for each in placed})
        assert [event(ORCHID, 1).at, event(ORCHID, 2).at, event(FERN, 1).at] == [
            each.at for each in placed
        ]
        assert positions[-1] == await store.newest()

    async def test_a_store_is_made_as_the_code_makes_it(self, store: EventStore) -> None:
        """No table, index or setting of a new store is another; small values can be looked up."""
        await store.keep_setting("tea", "ready")

        async with store.snapshot() as snapshot:
            assert [] == list(await snapshot.flaws())
            assert ("ready", None) == (await snapshot.setting("tea"), await snapshot.setting("pot"))

    async def test_what_is_written_later_is_not_seen(self, store: EventStore) -> None:
        """A snapshot does not change, and blocks no writer."""
        (before,) = templates("a")
        await store.append(step(grown(ORCHID), rows=(before,), conditions=(Hold("tea", MOSS),)))

        async with store.snapshot() as snapshot:
            await store.append(
                step(
                    grown(ORCHID, at=1),
                    grown(FERN),
                    rows=tuple(templates("ab")),
                    conditions=(Hold("tea", FERN), Release("tea", MOSS)),
                )
            )

            assert 1 == await snapshot.size()
            assert [ORCHID] == [each.stream for each in await every(snapshot.events())]
            assert ["a"] == [each.key for each in await every(snapshot.rows(PinTemplateRow))]
            assert [Held(MOSS, "tea")] == await every(snapshot.holders())
        async with store.snapshot() as snapshot:
            assert 3 == await snapshot.size()

    async def test_several_walks_go_side_by_side(self, store: EventStore) -> None:
        """Events and rows can be met step by step, over more than is brought along at once."""
        names = sorted(f"key-{number}" for number in range(1_200))
        await store.append(step(*(grown(name) for name in names)))
        await written(store, tuple(templates(map(chr, range(0x1000, 0x1000 + 1_200)))))

        async with store.snapshot() as snapshot:
            rows = snapshot.rows(PinTemplateRow)
            met = [(each.stream, (await anext(rows)).key) async for each in snapshot.events()]

        assert names == [stream for stream, _ in met]
        assert [chr(0x1000 + number) for number in range(1_200)] == [key for _, key in met]

    async def test_a_whole_history_is_in_it(self, store: EventStore) -> None:
        """A stream is folded from a snapshot as from a load."""
        await store.append(step(grown(ORCHID, by=7)))

        async with store.snapshot() as snapshot:
            assert list(history(ORCHID, 7)) == [
                each.event for each in await every(snapshot.events())
            ]
