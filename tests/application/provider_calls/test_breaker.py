"""The breaker of a channel account: it opens after faults, and one real send probes (C-69)."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.application.provider_calls.lines import Lines, lines, skipping, unveiled
from watchword.application.channel_accounts.health import BreakerState
from watchword.application.channel_accounts.patch import ChannelAccountPatch
from watchword.application.ports.channels import Fault, Rejected
from watchword.application.provider_calls.breaker import LONGEST, SHORTEST, Breaker

AWAY = Rejected("vendor_away", "No connection.", Fault.AWAY)


def with_faults(*times: float) -> Breaker:
    """Return a breaker after faults at these times."""
    breaker = Breaker()
    for at in times:
        breaker.failed(breaker.era, at)
    return breaker


def test_it_opens_after_five_faults_in_a_row() -> None:
    """An answer between them, be it a rejection, begins the row anew."""
    breaker = with_faults(1, 2, 3, 4)
    breaker.answered(breaker.era)
    opened = [breaker.failed(breaker.era, at) for at in (5, 6, 7, 8, 9)]

    assert [False, False, False, False, True] == opened
    assert (BreakerState.OPEN, SHORTEST) == (breaker.state, breaker.pause)


def test_it_opens_when_half_of_the_last_twenty_failed_within_half_a_minute() -> None:
    """Every other send fails: the tenth fault opens it."""
    breaker, opened = Breaker(), []
    for number in range(10):
        breaker.answered(breaker.era)
        opened.append(breaker.failed(breaker.era, float(number)))

    assert [False] * 9 + [True] == opened


def test_faults_of_more_than_half_a_minute_ago_do_not_count() -> None:
    """Every other send fails, but one in four seconds: it stays closed."""
    breaker = Breaker()
    for number in range(60):
        breaker.answered(breaker.era)
        breaker.failed(breaker.era, 4.0 * number)

    assert BreakerState.CLOSED is breaker.state


def test_a_few_faults_among_many_answers_do_not_count() -> None:
    """One of three fails: never ten of twenty."""
    breaker = Breaker()
    for number in range(60):
        breaker.answered(breaker.era)
        breaker.answered(breaker.era)
        breaker.failed(breaker.era, 0.1 * number)

    assert BreakerState.CLOSED is breaker.state


def test_its_pause_doubles_with_every_probe_that_fails() -> None:
    """From 5 s to a minute; an answered probe closes it, and the next pause is 5 s again."""
    breaker, now, pauses = with_faults(0, 0, 0, 0, 0), 0.0, []
    for _ in range(6):
        pauses.append(breaker.pause)
        assert breaker.refuses(now + breaker.pause - 0.1)
        now += breaker.pause
        assert breaker.admits(now)
        breaker.failed(breaker.era, now)
    assert breaker.admits(now + LONGEST)
    closed = breaker.answered(breaker.era)
    for _ in range(5):
        breaker.failed(breaker.era, now)

    assert [5, 10, 20, 40, 60, 60] == pauses
    assert closed
    assert SHORTEST == breaker.pause


def test_of_two_sends_one_is_the_probe() -> None:
    """The other is refused until the probe has its result."""
    breaker = with_faults(0, 0, 0, 0, 0)

    assert [True, False] == [breaker.admits(5.0), breaker.admits(5.0)]
    assert BreakerState.HALF_OPEN is breaker.state


def test_a_probe_without_a_result_leaves_its_place_to_the_next() -> None:
    """Its caller went away."""
    breaker = with_faults(0, 0, 0, 0, 0)
    assert breaker.admits(5.0)
    breaker.abandoned(breaker.era, 5.5)

    assert breaker.admits(5.5)


def test_late_results_of_earlier_sends_do_not_count() -> None:
    """Sends that began before it opened neither close it nor make the pause longer."""
    breaker = with_faults(0, 0, 0, 0)
    era = breaker.era
    breaker.failed(era, 0)
    turned = [breaker.answered(era), breaker.failed(era, 1)]

    assert [False, False] == turned
    assert (BreakerState.OPEN, SHORTEST) == (breaker.state, breaker.pause)


class BreakerMachine(RuleBasedStateMachine):
    """Sends that begin and end in any order, at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.breaker = Breaker()
        self.now = 0.0
        self.under_way: list[int] = []
        self.probe: int | None = None
        self.opened_at: float | None = None

    @rule(seconds=st.floats(0, 70))
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @rule()
    def begin(self) -> None:
        """Begin a send, if it is admitted."""
        state = self.breaker.state
        refused = self.breaker.refuses(self.now)
        admitted = self.breaker.admits(self.now)
        assert admitted is not refused
        if admitted:
            self.under_way.append(self.breaker.era)
        if state is not BreakerState.CLOSED and admitted:
            # After a probe without a result, the next one need not wait.
            assert self.opened_at is None or self.now >= self.opened_at + self.breaker.pause
            assert self.probe is None
            self.probe = self.breaker.era

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), result=st.sampled_from(("answer", "fault", "none")))
    def end(self, data: st.DataObject, result: str) -> None:
        """End one of the sends."""
        era = self.under_way.pop(data.draw(st.integers(0, len(self.under_way) - 1)))
        before = self.breaker.state
        if result == "answer":
            turned = self.breaker.answered(era)
        elif result == "fault":
            turned = self.breaker.failed(era, self.now)
        else:
            turned = False
            self.breaker.abandoned(era, self.now)
        if era == self.probe:
            self.probe = None
            if result == "none":
                self.opened_at = None
        elif before is not BreakerState.CLOSED:
            assert before is self.breaker.state
        if turned:
            self.opened_at = self.now

    @rule()
    def change_settings(self) -> None:
        """Close it, as an operator's change does."""
        self.breaker.close()
        self.probe = None

    @invariant()
    def one_probe(self) -> None:
        """It is half open exactly while its probe is under way."""
        assert (self.probe is not None) is (self.breaker.state is BreakerState.HALF_OPEN)

    @invariant()
    def bounded(self) -> None:
        """Its pause is between 5 s and a minute."""
        assert SHORTEST <= self.breaker.pause <= LONGEST


TestBreakerMachine = BreakerMachine.TestCase


async def fail(asked: Lines, number: int = 5) -> None:
    """Send through an account that is away."""
    asked.scripts["a"] = [AWAY] * number
    for _ in range(number):
        await asked.send()


def test_an_open_breaker_passes_sends_on() -> None:
    """Nothing goes to the provider that is away; without another account, the send is rejected."""

    async def story() -> None:
        asked = await lines(failover="b")
        await fail(asked)
        asked.provider.messages.clear()
        outcome = await asked.send()

        assert ("b", "accepted", [("a", "rejected", "channel_away"), ("b", "accepted", None)]) == (
            asked.told(outcome)
        )
        assert ["b"] == asked.asked
        assert BreakerState.OPEN is asked.calls.health(asked.ids["a"]).breaker
        assert 1 == asked.calls.load.open

    skipping(story())


def test_one_real_send_probes_after_the_pause() -> None:
    """Of two at the same time, one goes to the provider; its answer closes the breaker."""

    async def story() -> None:
        asked = await lines()
        await fail(asked)
        await asyncio.sleep(SHORTEST)
        asked.scripts["a"] = [0.5]
        asked.provider.messages.clear()
        both = await asyncio.gather(asked.send(), asked.send())
        after = await asked.send()

        assert [None, "channel_away"] == [each.error_code for each in both]
        assert after.accepted
        assert ["a", "a"] == asked.asked

    skipping(story())


def test_a_test_passes_an_open_breaker_and_its_success_closes_it() -> None:
    """An operator who mended the account need not wait (C-67)."""

    async def story() -> None:
        asked = await lines(failover="b")
        await fail(asked)
        tested = await asked.calls.send_once(asked.message(), unveiled)

        assert ("a", "accepted", []) == asked.told(tested)
        assert BreakerState.CLOSED is asked.calls.health(asked.ids["a"]).breaker

    skipping(story())


def test_a_test_asks_its_account_alone() -> None:
    """Its failover is another account's matter."""

    async def story() -> None:
        asked = await lines(failover="b", scripts={"a": [AWAY]})
        tested = await asked.calls.send_once(asked.message(), unveiled)

        assert ("a", "rejected", []) == asked.told(tested)

    skipping(story())


@pytest.mark.parametrize("fault", [Fault.RECIPIENT, Fault.CONTENT, Fault.ACCOUNT, Fault.BUSY])
def test_a_provider_that_answers_is_not_away(fault: Fault) -> None:
    """Its rejections open no breaker."""

    async def story() -> None:
        asked = await lines(scripts={"a": [Rejected("no", "No.", fault)] * 30})
        codes = {(await asked.send()).error_code for _ in range(30)}

        assert {"no"} == codes

    skipping(story())


def test_changed_settings_begin_with_a_closed_breaker() -> None:
    """The change may have mended it (C-66)."""

    async def story() -> None:
        asked = await lines()
        await fail(asked)
        revising = asked.house.service.revising_channel_accounts
        before = (await asked.send()).error_code
        patch = ChannelAccountPatch(given={"sender"}, sender="TEAPOT")
        await revising.update(asked.house.by, asked.ids["a"], patch)

        assert "channel_away" == before
        assert (await asked.send()).accepted

    skipping(story())


def test_the_last_answer_and_its_time_are_told() -> None:
    """Operators see it in the record of the channel account, and the time stays as it was told (C-66)."""

    async def story() -> None:
        asked = await lines(scripts={"a": [AWAY]})
        await asked.send()
        health = asked.calls.health(asked.ids["a"])
        assert health.last_outcome is not None

        assert ("rejected", "vendor_away", 0) == (
            str(health.last_outcome.status),
            health.last_outcome.code,
            health.in_flight,
        )
        assert asked.house.clock.real() >= health.last_outcome.at
        await asyncio.sleep(1)
        assert health == asked.calls.health(asked.ids["a"])

    skipping(story())


@pytest.mark.parametrize("way", ["test", "failover"])
def test_an_acceptance_off_the_short_way_has_its_time(way: str) -> None:
    """A test, and an account that follows another one, are told with the time of their answer (C-66)."""

    async def story() -> None:
        asked = await lines(failover="b", scripts={"a": [AWAY] if way == "failover" else []})
        name = "b" if way == "failover" else "a"
        before = asked.house.clock.real()
        if way == "test":
            await asked.calls.send_once(asked.message(), unveiled)
        else:
            await asked.send()
        health = asked.calls.health(asked.ids[name])

        assert health.last_outcome is not None
        assert "accepted" == str(health.last_outcome.status)
        assert before - timedelta(seconds=1) <= health.last_outcome.at

    skipping(story())
