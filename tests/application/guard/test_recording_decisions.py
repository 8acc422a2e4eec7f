"""Counted decisions come on the log: once each, after trouble too, and for erased people without a name."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from attrs import frozen

from tests.contracts.event_store.histories import NOON, step
from tests.contracts.event_store.sample_people import person
from tests.fakes.clocks import StillClock
from tests.fakes.loops import SkippingLoop
from tests.fakes.stores import TroubledStore
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.randomness import SecretRandomness
from watchword.application.errors import UnavailableError
from watchword.application.guard.counted_decisions import CountedDecisions
from watchword.application.guard.recording_decisions import AT_ONCE, RecordingDecisions
from watchword.application.journal import Journal
from watchword.application.ports.event_store import (
    LONGEST_SLEEP,
    Append,
    EventStore,
    StoreUnavailable,
)
from watchword.application.ports.sealer import SealKeyMissingError
from watchword.domain.guard import (
    Rule,
    SendsFlagged,
    SendsRefused,
    country_subject,
    person_subject,
    prefix_subject,
)
from watchword.domain.rate_limit import Rate
from watchword.entrypoints.worker import run_worker

TEA = "account-garden"
RATE = Rate("20/1h")


@frozen
class Counting:
    """A process that counts decisions, on a store that can be troubled."""

    store: TroubledStore
    clock: StillClock
    decisions: CountedDecisions
    recording: RecordingDecisions

    async def events(self) -> Sequence[SendsRefused | SendsFlagged]:
        """Return the events of counts, in the order of the log."""
        log = await self.store.read_log(0, 1000)
        return [each.event for each in log if isinstance(each.event, SendsRefused | SendsFlagged)]


@pytest.fixture
def counting(store: EventStore) -> Counting:
    """Return a process on a store of each kind."""
    troubled, clock, randomness = TroubledStore(store), StillClock(), SecretRandomness()
    decisions = CountedDecisions(randomness, clock)
    recording = RecordingDecisions(Journal(troubled), decisions, randomness, clock)
    return Counting(troubled, clock, decisions, recording)


async def test_a_minute_is_one_event_for_each_rule_and_subject(counting: Counting) -> None:
    """The event has the count, when the first and the last decision were, and the limit."""
    since = counting.clock.now()
    for _ in range(30):
        counting.decisions.refused(
            TEA, Rule.PREFIX, prefix_subject("989123456789", "f0", "IR"), RATE
        )
        counting.clock.move(1)
    assert 0 == await counting.recording.run_due()
    counting.clock.move(31)

    assert 1 == await counting.recording.run_due()
    assert 0 == await counting.recording.run_due()

    (event,) = await counting.events()
    assert isinstance(event, SendsRefused)
    assert ("+98912345", "IR", 30, RATE) == (event.subject, event.country, event.count, event.limit)
    assert (since, 29) == (event.since, (event.until - since).total_seconds())
    assert counting.clock.now() == event.at


async def test_a_flood_leaves_one_event_a_rule_subject_and_minute(counting: Counting) -> None:
    """Pass mark 4: however many are refused, the log grows by the subjects and minutes alone."""
    before = await counting.store.newest()
    for _ in range(3):
        for number in range(2_000):
            country = country_subject(("IR", "IN")[number % 2])
            counting.decisions.refused(TEA, Rule.COUNTRY, country, RATE)
            counting.decisions.flagged(TEA, Rule.COUNTRIES, country)
        counting.clock.move(60)
        await counting.recording.run_due()

    events = await counting.events()
    assert 3 * 2 * 2 == len(events) == await counting.store.newest() - before
    assert 3 * 2 * 2_000 == sum(each.count for each in events)


async def test_more_counts_than_an_append_takes_are_several_appends(counting: Counting) -> None:
    """Each holds up the event loop for a moment only."""
    for number in range(AT_ONCE + 1):
        counting.decisions.refused(TEA, Rule.IP, country_subject(f"X{number}"))
    counting.clock.move(60)
    await counting.recording.run_due()

    assert 2 == counting.store.appended
    assert AT_ONCE + 1 == len(await counting.events())


async def test_what_cannot_be_recorded_is_kept(counting: Counting) -> None:
    """The next attempt has the same counts, with those of the time between beside them."""
    counting.decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    counting.clock.move(60)
    counting.store.reachable = False
    with pytest.raises(UnavailableError):
        await counting.recording.run_due()
    counting.decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    counting.clock.move(60)
    counting.store.reachable = True
    await counting.recording.run_due()

    assert [1, 1] == [each.count for each in await counting.events()]


class DeafStore(TroubledStore):
    """Appends once without saying so."""

    deaf = True

    async def append(self, append: Append) -> Sequence[int]:
        """Append, and lose the first answer."""
        positions = await super().append(append)
        if self.deaf:
            self.deaf = False
            raise StoreUnavailable("The connection was lost.")
        return positions


async def test_a_lost_answer_counts_nothing_twice(store: EventStore) -> None:
    """The stream of a count is its own, so the second append finds the first."""
    deaf, clock, randomness = DeafStore(store), StillClock(), SecretRandomness()
    decisions = CountedDecisions(randomness, clock)
    counting = Counting(
        deaf, clock, decisions, RecordingDecisions(Journal(deaf), decisions, randomness, clock)
    )
    for country in ("IR", "IN"):
        decisions.refused(TEA, Rule.COUNTRY, country_subject(country))
    clock.move(60)
    with pytest.raises(UnavailableError):
        await counting.recording.run_due()
    await counting.recording.run_due()
    await counting.recording.run_due()

    assert [1, 1] == [each.count for each in await counting.events()]


async def test_a_person_who_was_erased_meanwhile_is_no_subject(counting: Counting) -> None:
    """The count stays, as one of `other` in its country, and so do the counts beside it."""
    anna = person("anna")
    await counting.store.append(step(new_people=(anna,)))
    subject = person_subject("919812345610", anna.person_id, "IN")
    for _ in range(2):
        counting.decisions.refused(TEA, Rule.GUESSES, subject, Rate("50/1d"))
    counting.decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    await counting.store.append(step(erasing=(anna.person_id,)))
    await counting.recording.end()

    assert [(None, "other", "IN", 2), (None, "IR", "IR", 1)] == [
        (each.person_id, each.subject, each.country, each.count) for each in await counting.events()
    ]


class KeylessStore(TroubledStore):
    """Seals nothing for guesses, as on a node that lacks a person's key."""

    async def append(self, append: Append) -> Sequence[int]:
        """Append, unless guesses are among it."""
        if any(each.state.rule is Rule.GUESSES for each in append.changes):
            raise SealKeyMissingError
        return await super().append(append)


async def test_a_count_that_cannot_be_sealed_holds_up_no_others(store: EventStore) -> None:
    """It is kept, and neither it nor its failure stops the end of the service."""
    keyless, clock, randomness = KeylessStore(store), StillClock(), SecretRandomness()
    decisions = CountedDecisions(randomness, clock)
    recording = RecordingDecisions(Journal(keyless), decisions, randomness, clock)
    decisions.refused(TEA, Rule.GUESSES, person_subject("919812345610"))
    for number in range(AT_ONCE):
        decisions.refused(TEA, Rule.IP, country_subject(f"X{number}"))
    clock.move(60)
    with pytest.raises(SealKeyMissingError):
        await recording.run_due()
    await recording.end()

    assert AT_ONCE == len(decisions.ended())
    assert 1 == await store.newest()


async def test_a_masked_person_is_sealed_for_the_person(counting: Counting) -> None:
    """After the erasure nobody reads whose number it was; the count is still there."""
    anna = person("anna")
    await counting.store.append(step(new_people=(anna,)))
    counting.decisions.flagged(
        TEA, Rule.GUESSES, person_subject("919812345610", anna.person_id, "IN"), Rate("50/1d")
    )
    await counting.recording.end()
    assert ["+9198******10"] == [each.subject for each in await counting.events()]

    await counting.store.append(step(erasing=(anna.person_id,)))
    counting.store.forget_person(anna.person_id)

    assert [("(erased)", 1)] == [(each.subject, each.count) for each in await counting.events()]


async def test_an_end_records_the_minute_that_has_not_ended(counting: Counting) -> None:
    """So a clean stop loses nothing; without a store it does not hold up the end."""
    counting.decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
    counting.store.reachable = False
    await counting.recording.end()
    counting.store.reachable = True
    await counting.recording.end()

    assert [1] == [each.count for each in await counting.events()]


def test_a_process_without_due_work_records_what_it_counts() -> None:
    """Its worker looks at least every ten seconds whether a minute has ended."""

    async def story() -> list[int]:
        clock, randomness = LoopClock(), SecretRandomness()
        journal = Journal(MemoryEventStore(vault=new_vault()))
        decisions = CountedDecisions(randomness, clock)
        recording = RecordingDecisions(journal, decisions, randomness, clock)
        working = asyncio.create_task(run_worker(journal, clock, (recording,)))
        recorded = []
        for seconds in (30, 29, 1 + LONGEST_SLEEP.total_seconds()):
            decisions.refused(TEA, Rule.COUNTRY, country_subject("IR"))
            await asyncio.sleep(seconds)
            recorded.append(await journal.newest())
        working.cancel()
        return recorded

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert [0, 0, 1] == runner.run(story())


class LoopClock:
    """Follows the loop, from the beginning of a minute."""

    def __init__(self) -> None:
        self._began = asyncio.get_running_loop().time()

    def now(self) -> datetime:
        """Return the service's time."""
        return self.real()

    def real(self) -> datetime:
        """Return the machine's time."""
        return NOON + timedelta(seconds=asyncio.get_running_loop().time() - self._began)
