"""The promises of every event store to followers of the log (D-182)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import pytest
from attrs import evolve, frozen

from tests.contracts.event_store.histories import FERN, ORCHID, grown, step
from tests.contracts.event_store.sample_people import person
from tests.contracts.event_store.sample_rows import CALLBACK_DELIVERY
from tests.fakes.clocks import StillClock
from watchword.application.journal import Journal
from watchword.application.log_follower import LEASE, Consequences, LogFollower
from watchword.application.log_wakeup import LogWakeup
from watchword.application.ports.event_store import EventStore, PersonGone, Recorded
from watchword.application.records.callback_delivery import CallbackDeliveryRow

BATCH = 2


@frozen
class Node:
    """A follower on a node, and the positions that it was given."""

    follower: LogFollower[Recorded]
    seen: list[int]


def node(store: EventStore, name: str, clock: StillClock, since: int | None = 0) -> Node:
    """Start a follower that writes one row for each event; two events make a batch."""
    seen: list[int] = []

    async def react(batch: Sequence[Recorded]) -> Consequences:
        seen.extend(each.position for each in batch)
        ids = [f"{name}-{each.position}" for each in batch]
        return Consequences(rows=tuple(evolve(CALLBACK_DELIVERY, id=each) for each in ids))

    async def interesting() -> int | None:
        return since

    journal = Journal(store)
    follower = LogFollower(
        name,
        journal,
        clock,
        LogWakeup(),
        journal.read_log,
        react,
        since=interesting,
        batch=BATCH,
    )
    return Node(follower, seen)


async def five_events(store: EventStore) -> list[int]:
    """Append five events, meet the person of the rows, and return the positions."""
    await store.append(step(grown(FERN, by=3), new_people=(person("guest"),)))
    await store.append(step(grown(ORCHID, by=2)))
    return [each.position for each in await store.read_log(0, 100)]


class FollowersContract:
    """Followers of one log share nothing but the log."""

    async def test_two_followers_have_a_position_each(self, store: EventStore) -> None:
        """One that is at the end does not move the other, and what each wrote is there."""
        positions, clock = await five_events(store), StillClock()
        fast, slow = node(store, "statistics", clock), node(store, "seals", clock)
        while await fast.follower.run_due():
            pass
        assert BATCH == await slow.follower.run_due()

        assert (positions, positions[:BATCH]) == (fast.seen, slow.seen)
        assert positions[-1] == await fast.follower.position()
        assert positions[BATCH - 1] == await slow.follower.position()
        fast_rows = {f"statistics-{each}" for each in positions}
        slow_rows = [f"seals-{each}" for each in positions]
        found = await store.rows(CallbackDeliveryRow, fast_rows.union(slow_rows))
        assert fast_rows.union(slow_rows[:BATCH]) == set(found)

    async def test_a_follower_in_a_backlog_lags(self, store: EventStore) -> None:
        """Its lag counts the positions up to the newest event, and ends with the backlog."""
        positions, clock = await five_events(store), StillClock()
        late = node(store, "statistics", clock).follower
        await late.run_due()
        behind = late.lag
        while await late.run_due():
            pass

        assert (positions[-1] - positions[BATCH - 1], 0) == (behind, late.lag)

    async def test_a_lease_is_for_one_follower(self, store: EventStore) -> None:
        """While a node has a backlog, others leave it alone, and follow under other names."""
        await five_events(store)
        clock = StillClock()
        holder, other = node(store, "statistics", clock), node(store, "statistics", clock)
        stranger = node(store, "seals", clock)
        await holder.follower.run_due()

        assert (0, BATCH) == (await other.follower.run_due(), await stranger.follower.run_due())
        assert ([], BATCH) == (other.seen, await holder.follower.run_due())

    async def test_a_lease_ends_with_the_backlog(self, store: EventStore) -> None:
        """The first node then follows later events."""
        positions, clock = await five_events(store), StillClock()
        holder, other = node(store, "statistics", clock), node(store, "statistics", clock)
        while await holder.follower.run_due():
            pass
        await store.append(step(grown(FERN, at=3)))
        assert 1 == await other.follower.run_due()

        assert len(positions) == len(holder.seen)

    async def test_a_lease_ends_with_its_time(self, store: EventStore) -> None:
        """A node that died in a backlog holds up no other for longer."""
        await five_events(store)
        clock = StillClock()
        dead, heir = node(store, "statistics", clock), node(store, "statistics", clock)
        await dead.follower.run_due()
        assert 0 == await heir.follower.run_due()
        clock.move(LEASE.total_seconds())

        assert BATCH == await heir.follower.run_due()

    async def test_a_lease_of_a_wrong_clock_holds_nobody_up(self, store: EventStore) -> None:
        """One that would end later than any that is taken now."""
        await five_events(store)
        early, late = StillClock(), StillClock()
        late.move(3600)
        await node(store, "statistics", late).follower.run_due()

        assert BATCH == await node(store, "statistics", early).follower.run_due()

    @pytest.mark.parametrize("careless", [False, True])
    async def test_an_erasure_meanwhile_holds_no_follower_up(
        self, store: EventStore, careless: bool
    ) -> None:
        """Rows are made anew without the person; a follower that names the person again fails aloud."""
        positions, guest = await five_events(store), CALLBACK_DELIVERY.person_id
        assert guest is not None
        calls = 0

        async def react(batch: Sequence[Recorded]) -> Consequences:
            nonlocal calls
            calls += 1
            living = await store.people_named([guest])
            rows = [evolve(CALLBACK_DELIVERY, id=f"for-{each.position}") for each in batch]
            if calls == 1:
                await store.append(step(erasing=(guest,)))
            return Consequences(rows=tuple(rows) if living or careless else ())

        journal = Journal(store)
        follower = LogFollower(
            "callbacks", journal, StillClock(), LogWakeup(), journal.read_log, react
        )
        with pytest.raises(PersonGone) if careless else nullcontext():
            assert len(positions) == await follower.run_due()

        assert (2, 0 if careless else positions[-1]) == (calls, await follower.position())
        assert {} == await store.rows(CallbackDeliveryRow, [f"for-{each}" for each in positions])

    async def test_a_follower_that_needs_nothing_reads_nothing(self, store: EventStore) -> None:
        """Later it skips what came before."""
        positions, clock = await five_events(store), StillClock()
        idle = node(store, "statistics", clock, since=None)
        assert 0 == await idle.follower.run_due()
        assert not idle.follower.wakeup.wanted
        late = node(store, "statistics", clock, since=positions[-2])
        await late.follower.run_due()

        assert (positions[-1:], []) == (late.seen, idle.seen)
