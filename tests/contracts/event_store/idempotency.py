"""The promises of every event store about Idempotency-Keys (C-10)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import (
    FERN,
    NOON,
    ONE_MICROSECOND,
    ORCHID,
    grown,
    step,
)
from tests.fakes.clocks import MachineSeconds
from watchword.application.ports.event_store import (
    EventStore,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Reservation,
)

FIRST = Reservation(scope="pins:key-1", fingerprints=("body",), owner="first")
SECOND = evolve(FIRST, owner="second")
OTHER_BODY = evolve(SECOND, fingerprints=("other body",))
ANSWER = b'HTTP 201\x00\xff\r\n{"pinId": "\xc3\xa9"}'
A_DAY = timedelta(days=1)


async def answered(store: EventStore) -> None:
    """Take the key at noon and answer it."""
    await store.append(step(grown(ORCHID), taking=FIRST))
    await store.append(step(grown(ORCHID, at=1), completing=FIRST, answer=ANSWER))


class ReplayContract:
    """An answered key returns the same answer for 24 hours of service time."""

    async def test_a_key_that_nobody_took_is_free(self, store: EventStore) -> None:
        """Checking a free key says nothing, and takes nothing."""
        await store.check_key(FIRST, NOON)
        await store.check_key(OTHER_BODY, NOON)

    async def test_the_answer_is_given_again_byte_for_byte(self, store: EventStore) -> None:
        """A look-up and a second claim return the answer as it was saved."""
        await answered(store)

        with pytest.raises(KeyAnswered) as asked:
            await store.check_key(SECOND, NOON)
        with pytest.raises(KeyAnswered) as taken:
            await store.append(step(grown(FERN), taking=SECOND))

        assert ANSWER == asked.value.answer
        assert ANSWER == taken.value.answer
        assert [] == list(await store.read_stream(FERN))

    async def test_an_empty_answer_is_an_answer(self, store: EventStore) -> None:
        """No bytes are an answer too."""
        await store.append(step(taking=FIRST))
        await store.append(step(completing=FIRST, answer=b""))

        with pytest.raises(KeyAnswered) as again:
            await store.check_key(SECOND, NOON)

        assert b"" == again.value.answer

    async def test_an_answer_is_saved_with_its_events(self, store: EventStore) -> None:
        """The completing append writes the events that it answers."""
        await answered(store)

        assert [1, 2] == [each.version for each in await store.read_stream(ORCHID)]

    async def test_an_answered_key_refuses_another_body(self, store: EventStore) -> None:
        """The same key with another body is a slip of the caller."""
        await answered(store)

        with pytest.raises(KeyReused):
            await store.check_key(OTHER_BODY, NOON)
        with pytest.raises(KeyReused):
            await store.append(step(taking=OTHER_BODY))

    async def test_a_body_is_known_by_any_of_its_fingerprints(self, store: EventStore) -> None:
        """After the key of the fingerprints was changed, the older fingerprint still counts."""
        await answered(store)

        with pytest.raises(KeyAnswered):
            await store.check_key(evolve(SECOND, fingerprints=("newer", "body")), NOON)

    async def test_a_taken_key_is_kept_under_the_newest_fingerprint(
        self, store: EventStore
    ) -> None:
        """The first of several fingerprints is stored."""
        await store.append(step(taking=evolve(FIRST, fingerprints=("newer", "body"))))

        with pytest.raises(KeyReused):
            await store.check_key(SECOND, NOON)
        with pytest.raises(KeyInProgress):
            await store.check_key(evolve(SECOND, fingerprints=("newest", "newer")), NOON)

    async def test_a_replay_is_given_for_24_hours(self, store: EventStore) -> None:
        """A microsecond before the day is over the answer still stands; then the key is free."""
        await answered(store)

        with pytest.raises(KeyAnswered):
            await store.check_key(SECOND, NOON + A_DAY - ONE_MICROSECOND)
        with pytest.raises(KeyReused):
            await store.check_key(OTHER_BODY, NOON + A_DAY - ONE_MICROSECOND)
        await store.check_key(OTHER_BODY, NOON + A_DAY)

    async def test_the_day_begins_when_the_key_is_taken(self, store: EventStore) -> None:
        """An answer that came late does not stand longer."""
        await store.append(step(taking=FIRST))
        await store.append(step(at=NOON + A_DAY / 2, completing=FIRST, answer=ANSWER))

        await store.append(step(at=NOON + A_DAY, taking=OTHER_BODY))

    async def test_a_replay_goes_by_the_services_clock(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """The answer lasts for the service's day, however much real time passes."""
        await answered(store)
        machine_seconds.forward(10 * 24 * 60 * 60)

        with pytest.raises(KeyAnswered):
            await store.check_key(SECOND, NOON)

    async def test_after_a_day_the_key_is_taken_and_answered_anew(self, store: EventStore) -> None:
        """The next day's answer takes the place of the old one."""
        await answered(store)
        tomorrow = NOON + A_DAY
        await store.append(step(at=tomorrow, taking=OTHER_BODY))
        await store.append(step(at=tomorrow, completing=OTHER_BODY, answer=b"tomorrow's"))

        with pytest.raises(KeyAnswered) as again:
            await store.check_key(OTHER_BODY, tomorrow)

        assert b"tomorrow's" == again.value.answer

    async def test_old_answers_are_forgotten(self, store: EventStore) -> None:
        """Answers to keys taken before a time go; younger ones and unanswered keys stay."""
        old, young, open_ = (evolve(FIRST, scope=each) for each in ("old", "young", "open"))
        await store.append(step(taking=old))
        await store.append(step(taking=open_))
        await store.append(step(at=NOON + ONE_MICROSECOND, taking=young))
        for each in (old, young):
            await store.append(step(completing=each, answer=ANSWER))
        forgotten = 0
        while some := await store.forget_answers(NOON + ONE_MICROSECOND):
            forgotten += some

        assert 1 == forgotten
        await store.check_key(evolve(old, fingerprints=("other body",)), NOON)
        with pytest.raises(KeyAnswered):
            await store.check_key(young, NOON)
        with pytest.raises(KeyInProgress):
            await store.check_key(open_, NOON)

    async def test_answers_about_a_person_are_forgotten(self, store: EventStore) -> None:
        """Keys of other people and of nobody keep theirs, and a request in progress keeps its key."""
        hers, his, nobodys, running = (
            evolve(FIRST, scope=scope, owner=scope, person_id=person)
            for scope, person in (("1", "per_1"), ("2", "per_2"), ("3", None), ("4", "per_1"))
        )
        for each in (hers, his, nobodys, running):
            await store.append(step(taking=each))
        for each in (hers, his, nobodys):
            await store.append(step(completing=each, answer=ANSWER))
        forgotten = 0
        while some := await store.forget_answers_about("per_1"):
            forgotten += some

        assert 1 == forgotten
        await store.check_key(evolve(hers, fingerprints=("other body",)), NOON)
        for each in (his, nobodys):
            with pytest.raises(KeyAnswered):
                await store.check_key(each, NOON)
        await store.append(step(completing=running, answer=ANSWER))
        assert 1 == await store.forget_answers_about("per_1")

    async def test_keys_of_other_scopes_are_other_keys(self, store: EventStore) -> None:
        """The answer of one caller or route does not affect another's key."""
        await answered(store)
        for scope in ("pins:key-2", "pins:key-", "pins:key-10", "PINS:KEY-1", "pins:key_1"):
            await store.append(step(taking=evolve(FIRST, scope=scope)))

        with pytest.raises(KeyAnswered):
            await store.check_key(FIRST, NOON)


class LeaseContract:
    """A key that is not answered yet is its owner's by a lease of 30 s of real time."""

    async def test_a_taken_key_is_in_progress(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """Until the lease ends, the key is in progress, and the store says for how long."""
        await store.append(step(taking=FIRST))
        machine_seconds.forward(10)

        with pytest.raises(KeyInProgress) as asked:
            await store.check_key(SECOND, NOON)
        with pytest.raises(KeyInProgress) as taken:
            await store.append(step(grown(FERN), taking=SECOND))

        assert 20.0 == asked.value.seconds_left
        assert 20.0 == taken.value.seconds_left
        assert [] == list(await store.read_stream(FERN))

    async def test_a_key_in_progress_refuses_another_body(self, store: EventStore) -> None:
        """Another body is refused at once, without a request to try again."""
        await store.append(step(taking=FIRST))

        with pytest.raises(KeyReused):
            await store.append(step(taking=OTHER_BODY))

    async def test_its_owner_cannot_take_a_key_twice(self, store: EventStore) -> None:
        """A second claim by the same owner is a claim on a key in progress."""
        await store.append(step(taking=FIRST))

        with pytest.raises(KeyInProgress):
            await store.append(step(taking=FIRST))

    @pytest.mark.parametrize("next_owner", [SECOND, OTHER_BODY])
    async def test_an_abandoned_key_is_free_after_30_seconds(
        self, store: EventStore, machine_seconds: MachineSeconds, next_owner: Reservation
    ) -> None:
        """When its owner died, a key waits for the lease to end and no longer."""
        await store.append(step(taking=FIRST))
        machine_seconds.forward(29.75)
        with pytest.raises((KeyInProgress, KeyReused)):
            await store.append(step(taking=next_owner))
        machine_seconds.forward(0.25)

        await store.check_key(next_owner, NOON)
        await store.append(step(taking=next_owner))

    async def test_a_lease_goes_by_real_time(self, store: EventStore) -> None:
        """Moving the service's clock neither ends a lease nor frees its key."""
        await store.append(step(taking=FIRST))

        with pytest.raises(KeyInProgress):
            await store.check_key(SECOND, NOON + 2 * A_DAY)
        with pytest.raises(KeyInProgress):
            await store.append(step(at=NOON + 2 * A_DAY, taking=SECOND))

    async def test_a_renewed_lease_lasts_30_seconds_from_then(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """Its owner keeps a key by renewing, as long as it lives."""
        await store.append(step(taking=FIRST))
        machine_seconds.forward(20)
        await store.append(step(renewing=FIRST))
        machine_seconds.forward(20)

        with pytest.raises(KeyInProgress) as progress:
            await store.append(step(taking=SECOND))
        assert 10.0 == progress.value.seconds_left

        machine_seconds.forward(10)
        await store.append(step(taking=SECOND))

    async def test_whose_lease_was_taken_over_writes_nothing(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """After a take-over the old owner can neither complete nor renew; the new one can."""
        await store.append(step(taking=FIRST))
        machine_seconds.forward(30)
        await store.append(step(taking=SECOND))

        with pytest.raises(LeaseLost):
            await store.append(step(grown(ORCHID), completing=FIRST, answer=b"too late"))
        with pytest.raises(LeaseLost):
            await store.append(step(renewing=FIRST))
        assert [] == list(await store.read_log(0, 10))
        await store.append(step(completing=SECOND, answer=b"in time"))

        with pytest.raises(KeyAnswered) as again:
            await store.check_key(FIRST, NOON)
        assert b"in time" == again.value.answer

    async def test_a_lease_that_nobody_took_over_is_still_its_owners(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """A slow owner may complete after its lease ended, unless another owner took the key."""
        await store.append(step(taking=FIRST))
        machine_seconds.forward(300)
        await store.append(step(completing=FIRST, answer=ANSWER))

        with pytest.raises(KeyAnswered):
            await store.append(step(taking=SECOND))

    async def test_an_answer_outlives_the_lease(
        self, store: EventStore, machine_seconds: MachineSeconds
    ) -> None:
        """The end of the lease is nothing to a key that is answered."""
        await answered(store)
        machine_seconds.forward(31)

        with pytest.raises(KeyAnswered):
            await store.append(step(taking=SECOND))

    async def test_a_key_is_answered_once(self, store: EventStore) -> None:
        """Its owner cannot answer again, or renew an answered key."""
        await answered(store)

        with pytest.raises(LeaseLost):
            await store.append(step(grown(FERN), completing=FIRST, answer=b"other"))
        with pytest.raises(LeaseLost):
            await store.append(step(renewing=FIRST))
        with pytest.raises(KeyAnswered) as again:
            await store.check_key(FIRST, NOON)

        assert ANSWER == again.value.answer
        assert [] == list(await store.read_stream(FERN))

    async def test_who_never_took_a_key_has_no_lease(self, store: EventStore) -> None:
        """Without a claim there is nothing to complete and nothing to renew."""
        with pytest.raises(LeaseLost):
            await store.append(step(grown(ORCHID), completing=FIRST, answer=ANSWER))
        with pytest.raises(LeaseLost):
            await store.append(step(renewing=FIRST))

        await store.check_key(FIRST, NOON)
        assert [] == list(await store.read_log(0, 10))

    async def test_of_many_with_one_key_one_takes_it(self, store: EventStore) -> None:
        """Fifty requests come with one key at once: one goes on, and the others have to wait."""
        told = await asyncio.gather(
            *(
                store.append(step(grown(f"key-{each}"), taking=evolve(FIRST, owner=f"{each}")))
                for each in range(50)
            ),
            return_exceptions=True,
        )

        assert 49 == sum(isinstance(each, KeyInProgress) for each in told)
        assert 1 == len(await store.read_log(0, 100))
