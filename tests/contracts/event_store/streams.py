"""The promises of every event store about streams and the log."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from tests.contracts.event_store.histories import (
    FERN,
    GARDENER,
    MOSS,
    ORCHID,
    event,
    grown,
    history,
    loaded,
    second,
    step,
)
from watchword.application.ports.event_store import EventStore, StreamConflict
from watchword.domain.accounts.api_key import api_key_decider
from watchword.domain.conditions import Unchanged


class StreamsContract:
    """Events are appended at an expected version, whole or not at all, and read in commit order."""

    async def test_a_stream_that_nobody_wrote_has_no_state(self, store: EventStore) -> None:
        """A stream without events is no aggregate yet (D-172)."""
        assert await store.load(api_key_decider, ORCHID) is None
        assert [] == list(await store.read_stream(ORCHID))

    async def test_what_was_appended_is_loaded(self, store: EventStore) -> None:
        """A stream is loaded with the state of all its events, at the number of its events."""
        await store.append(step(grown(ORCHID, by=3)))

        assert loaded(ORCHID, 3) == await store.load(api_key_decider, ORCHID)

    async def test_a_stream_grows_from_the_version_it_is_at(self, store: EventStore) -> None:
        """Each append at the stream's version continues it."""
        await store.append(step(grown(ORCHID)))
        await store.append(step(grown(ORCHID, at=1, by=2)))
        await store.append(step(grown(ORCHID, at=3)))

        assert loaded(ORCHID, 4) == await store.load(api_key_decider, ORCHID)
        assert list(history(ORCHID, 4)) == [each.event for each in await store.read_stream(ORCHID)]

    @pytest.mark.parametrize("expected", [0, 1, 3, 17])
    async def test_an_append_at_another_version_is_a_conflict(
        self, store: EventStore, expected: int
    ) -> None:
        """A lower and a higher version are refused, and the refusal names the stream."""
        await store.append(step(grown(ORCHID, by=2)))

        with pytest.raises(StreamConflict) as conflict:
            await store.append(step(grown(ORCHID, at=expected)))

        assert ORCHID == conflict.value.stream
        assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)

    async def test_a_stream_that_does_not_exist_is_at_no_other_version(
        self, store: EventStore
    ) -> None:
        """A stream begins at version 0: an append that expects more of it is refused."""
        with pytest.raises(StreamConflict):
            await store.append(step(grown(ORCHID, at=1)))

        assert [] == list(await store.read_log(0, 10))

    async def test_several_streams_are_written_at_once(self, store: EventStore) -> None:
        """One append takes several streams forward."""
        await store.append(step(grown(FERN)))
        await store.append(step(grown(ORCHID, by=2), grown(FERN, at=1), grown(MOSS)))

        assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)
        assert loaded(FERN, 2) == await store.load(api_key_decider, FERN)
        assert loaded(MOSS, 1) == await store.load(api_key_decider, MOSS)

    @pytest.mark.parametrize("place", [0, 1, 2])
    async def test_a_conflict_of_one_stream_holds_back_all(
        self, store: EventStore, place: int
    ) -> None:
        """Wherever the conflict stands in an append, no stream of it moves."""
        changes = [grown(ORCHID), grown(FERN)]
        changes.insert(place, grown(MOSS, at=4))

        with pytest.raises(StreamConflict) as conflict:
            await store.append(step(*changes))

        assert MOSS == conflict.value.stream
        assert [] == list(await store.read_log(0, 10))
        for each in (ORCHID, FERN, MOSS):
            assert await store.load(api_key_decider, each) is None

    async def test_after_a_conflict_the_decision_can_be_made_again(self, store: EventStore) -> None:
        """The loser of a race loads the newest state and continues from there."""
        await store.append(step(grown(ORCHID)))
        with pytest.raises(StreamConflict):
            await store.append(step(grown(ORCHID)))

        found = await store.load(api_key_decider, ORCHID)
        assert found is not None
        await store.append(step(grown(ORCHID, at=found.version)))

        assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)

    async def test_a_state_that_is_recalled_is_the_one_that_was_written(
        self, store: EventStore
    ) -> None:
        """The remembered state of a stream is the one after the last append."""
        await store.append(step(grown(ORCHID, by=2)))

        assert store.recall(ORCHID) in (None, loaded(ORCHID, 2))
        assert store.recall(FERN) is None

    async def test_what_was_refused_as_behind_is_not_recalled_again(
        self, store: EventStore
    ) -> None:
        """After a conflict the outdated state is not returned again, so deciding again succeeds."""
        await store.append(step(grown(ORCHID)))
        await store.append(step(grown(ORCHID, at=1)))
        with pytest.raises(StreamConflict):
            await store.append(step(grown(ORCHID, at=1)))

        assert store.recall(ORCHID) in (None, loaded(ORCHID, 2))

    async def test_an_append_without_events_has_no_positions(self, store: EventStore) -> None:
        """It takes no position in the log."""
        assert [] == list(await store.append(step()))
        assert [] == list(await store.read_log(0, 10))

    async def test_what_was_read_still_holds(self, store: EventStore) -> None:
        """`Unchanged` lets an append through while the stream is at the version that was read."""
        await store.append(step(grown(FERN, by=2)))
        await store.append(step(grown(ORCHID), conditions=(Unchanged(FERN, 2), Unchanged(MOSS, 0))))

        assert loaded(ORCHID, 1) == await store.load(api_key_decider, ORCHID)

    @pytest.mark.parametrize("version", [0, 1, 3])
    async def test_what_was_read_has_changed(self, store: EventStore, version: int) -> None:
        """`Unchanged` refuses an append when the stream is at another version."""
        await store.append(step(grown(FERN, by=2)))

        with pytest.raises(StreamConflict) as conflict:
            await store.append(step(grown(ORCHID), conditions=(Unchanged(FERN, version),)))

        assert FERN == conflict.value.stream
        assert [] == list(await store.read_stream(ORCHID))

    async def test_of_many_that_race_for_a_version_one_wins(self, store: EventStore) -> None:
        """A hundred appends at the same version: one is written, the others conflict."""
        await store.append(step(grown(ORCHID)))

        told = await asyncio.gather(
            *(store.append(step(grown(ORCHID, at=1))) for _ in range(100)), return_exceptions=True
        )

        assert 99 == sum(isinstance(each, StreamConflict) for each in told)
        assert [2] == [each[0] for each in told if not isinstance(each, BaseException)]
        assert loaded(ORCHID, 2) == await store.load(api_key_decider, ORCHID)

    async def test_a_refusal_costs_the_neighbours_nothing(self, store: EventStore) -> None:
        """Appends that arrive together stand and fall each for itself."""
        await store.append(step(grown(MOSS)))

        told = await asyncio.gather(
            *(
                store.append(step(grown(f"key-{number}") if number % 3 else grown(MOSS)))
                for number in range(60)
            ),
            return_exceptions=True,
        )

        assert [number % 3 == 0 for number in range(60)] == [
            isinstance(each, StreamConflict) for each in told
        ]
        assert 41 == len(await store.read_log(0, 100))

    async def test_a_read_after_an_append_sees_it(self, store: EventStore) -> None:
        """Many tasks at once: each reads its own write the moment its append returns."""

        async def write_and_read(stream: str) -> list[int]:
            seen = []
            for version in range(5):
                await store.append(step(grown(stream, at=version)))
                found = await store.load(api_key_decider, stream)
                assert found is not None
                seen.append(found.version)
                seen.append(len(await store.read_stream(stream)))
            return seen

        seen = await asyncio.gather(*(write_and_read(f"key-{number}") for number in range(20)))

        assert [[1, 1, 2, 2, 3, 3, 4, 4, 5, 5]] * 20 == seen


class LogContract:
    """The log holds every event once, in commit order, in the envelope of C-38."""

    async def test_positions_count_the_events_in_commit_order(self, store: EventStore) -> None:
        """An append returns the positions of its events, in the order of its changes."""
        first = await store.append(step(grown(ORCHID, by=2), grown(FERN)))
        then = await store.append(step(grown(MOSS), grown(ORCHID, at=2)))

        log = await store.read_log(0, 10)

        assert [*first, *then] == [each.position for each in log]
        assert sorted([*first, *then]) == [*first, *then]
        assert [(ORCHID, 1), (ORCHID, 2), (FERN, 1), (MOSS, 1), (ORCHID, 3)] == [
            (each.stream, each.version) for each in log
        ]

    async def test_a_refused_append_is_not_in_the_log(self, store: EventStore) -> None:
        """A refused append between two that hold leaves nothing."""
        await store.append(step(grown(ORCHID)))
        with pytest.raises(StreamConflict):
            await store.append(step(grown(FERN), grown(ORCHID)))
        await store.append(step(grown(FERN)))

        assert [ORCHID, FERN] == [each.stream for each in await store.read_log(0, 10)]

    async def test_the_log_is_read_page_by_page(self, store: EventStore) -> None:
        """Pages start behind a position, and never miss or repeat an event."""
        positions = list(await store.append(step(grown(ORCHID, by=7))))
        read, pages = 0, []
        while page := await store.read_log(read, 3):
            read = page[-1].position
            pages.append([each.position for each in page])

        assert [positions[0:3], positions[3:6], positions[6:7]] == pages

    @pytest.mark.parametrize("after", [-5, 0])
    async def test_the_log_begins_behind_position_0(self, store: EventStore, after: int) -> None:
        """Position 0, or one below, is before the first event."""
        await store.append(step(grown(ORCHID, by=2)))

        assert [1, 2] == [each.version for each in await store.read_log(after, 10)]

    async def test_there_is_nothing_behind_the_end(self, store: EventStore) -> None:
        """The log is empty after its last position, and far beyond it."""
        positions = await store.append(step(grown(ORCHID, by=2)))

        assert [] == list(await store.read_log(positions[-1], 10))
        assert [] == list(await store.read_log(positions[-1] + 1000, 10))

    async def test_an_event_travels_in_its_envelope(self, store: EventStore) -> None:
        """Each event is recorded with its place, type, schema, actor and request, and as it was."""
        positions = await store.append(step(grown(FERN), grown(ORCHID, by=2)))
        (_, recorded, _) = await store.read_log(0, 10)

        assert positions[1] == recorded.position
        assert ORCHID == recorded.stream
        assert 1 == recorded.version
        assert "ApiKeyCreated" == recorded.type
        assert 1 == recorded.schema
        assert GARDENER == recorded.actor
        assert "req-noon" == recorded.request_id
        assert event(ORCHID, 1) == recorded.event
        assert second(1) == recorded.event.at

    async def test_every_event_has_an_id_of_its_own(self, store: EventStore) -> None:
        """Event ids never repeat, and log and stream have the same ones."""
        await store.append(step(grown(ORCHID, by=3), grown(FERN, by=3)))
        await store.append(step(grown(ORCHID, at=3)))

        log = await store.read_log(0, 10)

        assert 7 == len({each.event_id for each in log})
        for stream in (ORCHID, FERN):
            told = [each for each in log if each.stream == stream]
            assert told == list(await store.read_stream(stream))

    async def test_the_log_of_many_writers_has_no_gap_in_any_stream(
        self, store: EventStore
    ) -> None:
        """A reader of the log sees each stream's versions in order while others write."""

        async def write(stream: str) -> None:
            for version in range(10):
                await store.append(step(grown(stream, at=version)))

        async def follow() -> dict[str, list[int]]:
            seen: dict[str, list[int]] = {}
            read = 0
            while sum(map(len, seen.values())) < 100:
                for each in await store.read_log(read, 7):
                    read = each.position
                    seen.setdefault(each.stream, []).append(each.version)
                await asyncio.sleep(0)
            return seen

        async with asyncio.timeout(20):
            seen, *_ = await asyncio.gather(
                follow(), *(write(f"key-{number}") for number in range(10))
            )

        assert {f"key-{number}": list(range(1, 11)) for number in range(10)} == seen

    async def test_who_began_a_stream_is_told(self, store: EventStore) -> None:
        """The store returns the actor of the first event; streams without events are left out."""
        await store.append(step(grown(ORCHID), grown(FERN, by=2)))
        await store.append(replace(step(grown(ORCHID, at=1)), actor="worker"))
        begun = await store.first_actors([ORCHID, FERN, MOSS])

        assert {ORCHID: GARDENER, FERN: GARDENER} == begun
        assert {} == await store.first_actors([])

    async def test_the_events_of_streams_are_counted(self, store: EventStore) -> None:
        """The store returns the number of events of each stream; streams without events are left out."""
        await store.append(step(grown(ORCHID), grown(FERN, by=2)))
        await store.append(step(grown(ORCHID, at=1)))

        assert {ORCHID: 2, FERN: 2} == await store.versions([ORCHID, FERN, MOSS])
        assert {} == await store.versions([])

    async def test_a_store_forgets_what_it_keeps_of_a_person(self, store: EventStore) -> None:
        """No state is answered from memory after that, and loads rebuild it from the log."""
        await store.append(step(grown(ORCHID)))
        before = await store.load(api_key_decider, ORCHID)
        store.forget_person("per_anna")

        assert store.recall(ORCHID) is None
        assert before == await store.load(api_key_decider, ORCHID)
