"""The promises of every event store about due rows and settings."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import (
    FERN,
    MOSS,
    ONE_MICROSECOND,
    ORCHID,
    grown,
    second,
    step,
)
from watchword.application.ports.event_store import (
    Due,
    DueKind,
    EventStore,
    Overtaken,
    StreamConflict,
)

KIND = DueKind.ORPHANED_DISPATCH


def due(stream: str, at: float, number: int = 1) -> Due:
    """Return a due row at so many seconds after noon."""
    return Due(KIND, stream, number, second(at))


def times(found: object) -> list[tuple[str, int, object]]:
    """Return the identities of due rows, each with its time, which is no part of it."""
    return [(each.stream, each.number, each.at) for each in found]  # type: ignore[attr-defined]  # the mixin of a contract has no store of its own


class DueRowsContract:
    """A due row is there from the append that puts it until the one that takes it out."""

    async def test_nothing_is_due_at_first(self, store: EventStore) -> None:
        """A new store has no due rows."""
        assert [] == list(await store.due(KIND, second(1e6), 10))

    async def test_what_is_due_is_given_earliest_first(self, store: EventStore) -> None:
        """Due rows are ordered by time, then by stream and number, not by the order of writing."""
        await store.append(step(due=(due(ORCHID, 3), due(MOSS, 2, 10), due(MOSS, 2, 9))))
        await store.append(step(due=(due(FERN, 2),)))

        assert [
            (FERN, 1, second(2)),
            (MOSS, 9, second(2)),
            (MOSS, 10, second(2)),
            (ORCHID, 1, second(3)),
        ] == times(await store.due(KIND, second(10), 10))

    async def test_putting_a_due_row_again_moves_it(self, store: EventStore) -> None:
        """The same kind, stream and number is the same due row; the last time counts."""
        await store.append(step(due=(due(ORCHID, 3),)))
        await store.append(step(due=(due(ORCHID, 9),)))

        assert [] == list(await store.due(KIND, second(8), 10))
        assert [(ORCHID, 1, second(9))] == times(await store.due(KIND, second(9), 10))

    async def test_a_due_row_is_due_at_its_time(self, store: EventStore) -> None:
        """At its very time it is due, a microsecond before it is not."""
        await store.append(step(due=(due(ORCHID, 0.000001), due(FERN, 1))))

        assert [] == list(await store.due(KIND, second(0), 10))
        assert [ORCHID] == [
            each.stream for each in await store.due(KIND, second(1) - ONE_MICROSECOND, 10)
        ]
        assert [ORCHID, FERN] == [each.stream for each in await store.due(KIND, second(1), 10)]

    async def test_no_more_than_the_limit(self, store: EventStore) -> None:
        """With a limit, the earliest are given."""
        await store.append(step(due=tuple(due(f"key-{each}", 9 - each) for each in range(9))))

        assert ["key-8", "key-7", "key-6"] == [
            each.stream for each in await store.due(KIND, second(100), 3)
        ]

    async def test_what_is_done_is_due_no_more(self, store: EventStore) -> None:
        """A row is removed by kind, stream and number, whatever its time; the others stay."""
        await store.append(step(due=(due(ORCHID, 1), due(ORCHID, 1, 2), due(FERN, 1))))
        await store.append(step(done=(due(ORCHID, 77), due(MOSS, 1))))

        assert [(FERN, 1, second(1)), (ORCHID, 2, second(1))] == times(
            await store.due(KIND, second(10), 10)
        )

    async def test_a_due_row_can_be_put_again_after_it_was_done(self, store: EventStore) -> None:
        """Done is not for ever: the next append may put the same due row."""
        await store.append(step(due=(due(ORCHID, 1),)))
        await store.append(step(done=(due(ORCHID, 1),)))
        await store.append(step(due=(due(ORCHID, 5),)))

        assert [(ORCHID, 1, second(5))] == times(await store.due(KIND, second(10), 10))

    async def test_a_due_row_that_stands_as_it_was_read_can_be_moved(
        self, store: EventStore
    ) -> None:
        """Its time is that of its last write; other rows, and how often it is asked for, do not matter."""
        await store.append(step(due=(due(ORCHID, 1), due(FERN, 2))))
        await store.append(step(due=(due(ORCHID, 3.000001),)))
        read = due(ORCHID, 3.000001)
        await store.append(step(standing=(read, due(FERN, 2), read)))
        await store.append(step(standing=(read,), due=(due(ORCHID, 9),)))

        assert [(FERN, 1, second(2)), (ORCHID, 1, second(9))] == times(
            await store.due(KIND, second(10), 10)
        )

    @pytest.mark.parametrize(
        "read",
        [
            due(ORCHID, 3),
            due(ORCHID, 1.000001),
            due(ORCHID, 1, 2),
            due(FERN, 1),
            due(MOSS, 1),
            Due(DueKind.FALLBACK, ORCHID, 1, second(1)),
        ],
    )
    async def test_a_due_row_that_was_moved_or_ended_refuses_whoever_counts_on_it(
        self, store: EventStore, read: Due
    ) -> None:
        """So does one of another kind, stream or number; nothing of the append is written (D-572)."""
        await store.append(step(due=(due(ORCHID, 3), due(FERN, 1), due("key-elm", 1))))
        await store.append(step(due=(due(ORCHID, 1),), done=(due(FERN, 1),)))
        with pytest.raises(Overtaken) as overtaken:
            await store.append(
                step(
                    grown(FERN),
                    standing=(due("key-elm", 1), read),
                    due=(evolve(read, at=second(9)),),
                    done=(due("key-elm", 1),),
                )
            )

        assert read.stream == overtaken.value.name
        assert [] == list(await store.read_log(0, 10))
        assert [("key-elm", 1, second(1)), (ORCHID, 1, second(1))] == times(
            await store.due(KIND, second(10), 10)
        )
        assert [] == list(await store.due(DueKind.FALLBACK, second(10), 10))

    @pytest.mark.parametrize("moves", [True, False])
    async def test_of_many_who_count_on_a_due_row_one_goes_on(
        self, store: EventStore, moves: bool
    ) -> None:
        """Appends that arrive together see what those before them did to the row."""
        rows = tuple(due(f"key-{number}", 1) for number in range(100))
        await store.append(step(due=(due(ORCHID, 1), *rows)))
        told = await asyncio.gather(
            *(
                store.append(
                    step(
                        standing=(due(ORCHID, 1), *rows),
                        due=(due(ORCHID, 9),) if moves else (),
                        done=() if moves else (due(ORCHID, 1),),
                    )
                )
                for _ in range(50)
            ),
            return_exceptions=True,
        )

        assert [ORCHID] * 49 == [each.name for each in told if isinstance(each, Overtaken)]
        left = [each for each in await store.due(KIND, second(10), 200) if each.stream == ORCHID]
        assert ([(ORCHID, 1, second(9))] if moves else []) == times(left)

    async def test_a_due_row_of_the_same_moment_can_be_counted_on(self, store: EventStore) -> None:
        """One that an append just before puts stands for the next, also where both are written together."""
        told = await asyncio.gather(
            *(store.append(step(due=(due(f"key-{each}", 1),))) for each in range(20)),
            *(
                store.append(step(standing=(due(f"key-{each}", 1),), done=(due(f"key-{each}", 1),)))
                for each in range(20)
            ),
            return_exceptions=True,
        )

        assert not any(isinstance(each, BaseException) for each in told)
        assert [] == list(await store.due(KIND, second(10), 30))

    async def test_the_next_due_time_is_the_earliest_of_its_kind(self, store: EventStore) -> None:
        """In the past or future; None without rows."""
        assert await store.next_due(KIND) is None
        await store.append(step(due=(due(ORCHID, 9), due(FERN, 4))))
        await store.append(step(due=(Due(DueKind.FALLBACK, MOSS, 1, second(-3)),)))

        assert second(4) == await store.next_due(KIND)
        assert second(-3) == await store.next_due(DueKind.FALLBACK)
        assert await store.next_due(DueKind.PARKED_RECEIPT) is None

    async def test_the_next_due_time_follows_what_is_moved_and_done(
        self, store: EventStore
    ) -> None:
        """Forward, back, and away."""
        await store.append(step(due=(due(ORCHID, 3), due(FERN, 5))))
        await store.append(step(due=(due(ORCHID, 9),)))
        assert second(5) == await store.next_due(KIND)
        await store.append(step(done=(due(FERN, 5),)))
        assert second(9) == await store.next_due(KIND)
        await store.append(step(due=(due(ORCHID, 1),)))
        assert second(1) == await store.next_due(KIND)

    async def test_kinds_are_due_rows_of_their_own(self, store: EventStore) -> None:
        """The same stream and number under two kinds are two due rows."""
        await store.append(step(due=(due(ORCHID, 1), Due(DueKind.FALLBACK, ORCHID, 1, second(2)))))
        await store.append(step(done=(due(ORCHID, 1),)))

        assert [] == list(await store.due(KIND, second(10), 10))
        assert [(ORCHID, 1, second(2))] == times(await store.due(DueKind.FALLBACK, second(10), 10))

    async def test_watchers_are_told_of_what_is_put(self, store: EventStore) -> None:
        """Every due row of their kind that is put, before its caller goes on; while they watch."""
        told: list[datetime] = []
        with store.watching_due(KIND, told.append):
            await store.append(
                step(due=(due(ORCHID, 3), Due(DueKind.FALLBACK, MOSS, 2, second(1))))
            )
            assert [second(3)] == told
            await store.append(step(done=(due(ORCHID, 3),)))
            with pytest.raises(StreamConflict):
                await store.append(step(grown(FERN, at=4), due=(due(FERN, 1),)))
        await store.append(step(due=(due(FERN, 1),)))

        assert [second(3)] == told

    async def test_many_can_watch(self, store: EventStore) -> None:
        """One that stops leaves the others watching."""
        told: list[str] = []
        with store.watching_due(KIND, lambda *_: told.append("one")):
            with store.watching_due(KIND, lambda *_: told.append("two")):
                await store.append(step(due=(due(ORCHID, 3),)))
            await store.append(step(due=(due(ORCHID, 4),)))

        assert ["one", "two", "one"] == told


class SettingsContract:
    """Small values beside the events."""

    async def test_a_setting_that_nobody_kept_is_none(self, store: EventStore) -> None:
        """An unknown name has no value."""
        assert await store.setting("mask") is None

    async def test_the_last_value_is_kept(self, store: EventStore) -> None:
        """A new value replaces the old one, and the call returns the valid one."""
        assert "one" == await store.keep_setting("mask", "one")
        assert "two" == await store.keep_setting("mask", "two")

        assert "two" == await store.setting("mask")
        assert await store.setting("other") is None

    async def test_an_older_value_can_be_left_alone(self, store: EventStore) -> None:
        """With `only_new` the first value stays, and is given back."""
        assert "one" == await store.keep_setting("mask", "one", only_new=True)
        assert "one" == await store.keep_setting("mask", "two", only_new=True)

        assert "one" == await store.setting("mask")
