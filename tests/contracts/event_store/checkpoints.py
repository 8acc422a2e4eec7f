"""The promises of every event store about checkpoints, and about rows that no event determines."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import FERN, grown, second, step
from tests.contracts.event_store.sample_rows import CALLBACK_DELIVERY
from watchword.application.ports.event_store import Checkpoint, EventStore, Overtaken
from watchword.application.records.callback_delivery import CallbackDeliveryRow

# A row about a person is refused unless the store has the person.
DELIVERY = evolve(CALLBACK_DELIVERY, person_id=None)


class CheckpointsContract:
    """A number moves only for a caller that knows its current value."""

    async def test_a_number_stands_at_0_at_first(self, store: EventStore) -> None:
        """A checkpoint of any name begins at 0."""
        assert 0 == await store.position("follower")

    async def test_a_number_stands_where_it_was_moved_to(self, store: EventStore) -> None:
        """The last append that moved it decides; other numbers stay."""
        await store.append(step(checkpoints=(Checkpoint("follower", 0, 7),)))
        await store.append(
            step(checkpoints=(Checkpoint("follower", 7, 2**40), Checkpoint("other", 0, 1)))
        )

        assert 2**40 == await store.position("follower")
        assert 1 == await store.position("other")

    @pytest.mark.parametrize("since", [0, 6, 8])
    async def test_who_is_overtaken_writes_nothing(self, store: EventStore, since: int) -> None:
        """An append that expects another value is refused completely, even with the same target."""
        await store.append(step(checkpoints=(Checkpoint("follower", 0, 7),)))
        with pytest.raises(Overtaken) as overtaken:
            await store.append(
                step(
                    grown(FERN),
                    rows=(DELIVERY,),
                    checkpoints=(Checkpoint("other", 0, 1), Checkpoint("follower", since, 7)),
                )
            )

        assert "follower" == overtaken.value.name
        assert (7, 0) == (await store.position("follower"), await store.position("other"))
        assert [] == list(await store.read_log(0, 10))
        assert await store.row(CallbackDeliveryRow, DELIVERY.id) is None

    async def test_a_number_may_be_held_where_it_stands(self, store: EventStore) -> None:
        """The present value can be a condition of an append."""
        await store.append(step(grown(FERN), checkpoints=(Checkpoint("follower", 0, 0),)))

        assert 0 == await store.position("follower")
        assert 1 == len(await store.read_log(0, 10))

    async def test_a_number_that_goes_back_to_0_begins_anew(self, store: EventStore) -> None:
        """Nothing is left of it."""
        await store.append(step(checkpoints=(Checkpoint("follower", 0, 7),)))
        await store.append(step(checkpoints=(Checkpoint("follower", 7, 0),)))
        await store.append(step(checkpoints=(Checkpoint("follower", 0, 3),)))

        assert 3 == await store.position("follower")


class ForgettingRowsContract:
    """Rows that no event determines are dropped by one of their times."""

    async def test_old_rows_are_forgotten(self, store: EventStore) -> None:
        """Rows before the time are dropped; rows without a time stay."""
        old, new, endless = (
            evolve(DELIVERY, id=f"delivery-{at}", ended_at=None if at is None else second(at))
            for at in (1, 2, None)
        )
        await store.append(step(rows=(old, new, endless)))

        assert 1 == await store.forget_rows(CallbackDeliveryRow, "ended_at", second(2))
        assert 0 == await store.forget_rows(CallbackDeliveryRow, "ended_at", second(2))
        kept = await store.rows(CallbackDeliveryRow, [old.id, new.id, endless.id])
        assert {new.id: new, endless.id: endless} == kept
