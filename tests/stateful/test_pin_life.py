"""PINs of one destination, driven through commands and odd clocks beside a naive model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from watchword.application.records import held_by
from watchword.domain.channel import PROVIDER_TIMEOUT, Channel, ChannelOutcome, OutcomeStatus
from watchword.domain.conditions import Hold, Release, SoleHolder
from watchword.domain.decider import Decision
from watchword.domain.errors import DomainError, RateLimitedError
from watchword.domain.event import Event
from watchword.domain.pin import (
    ErasePin,
    IssuePin,
    Pin,
    PinAlreadyVerifiedError,
    PinBlocked,
    PinBlockedError,
    PinDispatched,
    PinErased,
    PinExpired,
    PinExpiredError,
    PinNotFoundError,
    PinResent,
    PinStatus,
    PinVerified,
    RecordDispatch,
    RecoverDispatch,
    ResendCooldownError,
    ResendPin,
    SupersedePin,
    VerifyFailed,
    VerifyPin,
    erase,
    issue,
    pin_decider,
    record_dispatch,
    recover_dispatch,
    resend,
    supersede,
    verify,
)
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Duration, Rate

TEMPLATE, PERSON, DESTINATION = "template-tea-house", "per_guest", "+919812345610"
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
TIME_TO_LIVE, COOLDOWN, WINDOW = 60, 10, 3
VERDICTS = (VerifyFailed, PinVerified, PinBlocked)
REFUSALS: dict[str, type[DomainError]] = {
    "verified": PinAlreadyVerifiedError,
    "blocked": PinBlockedError,
    "superseded": PinExpiredError,
    "failed": PinNotFoundError,
    "erased": PinExpiredError,
}
SAYS = {
    "yes": ChannelOutcome(channel=Channel.SMS, status=OutcomeStatus.ACCEPTED),
    "no": ChannelOutcome(channel=Channel.SMS, status=OutcomeStatus.REJECTED),
    "silence": ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.UNKNOWN, error_code=PROVIDER_TIMEOUT
    ),
}
OVER = ("verified", "blocked", "failed", "superseded", "erased")


class NaivePin:
    """A plain model of a PIN: the expected result of the next call, and no mechanism."""

    def __init__(self, attempts: int, rate: int) -> None:
        self.allowance, self.rate, self.guesses = attempts, rate, [-1e9] * rate
        self.life, self.before, self.code = "none", "none", 0
        self.left, self.until, self.cool_at = 0, 0.0, -1e9

    def resend(self, now: float) -> list[type]:
        """Return the expected result of a resend."""
        if self.life in REFUSALS:
            return [REFUSALS[self.life]]
        if now < self.cool_at:
            return [ResendCooldownError]
        met = [PinExpired] if self.life == "pending" and now >= self.until else []
        self.send(now)
        return [*met, PinResent]

    def send(self, now: float) -> None:
        """Start over with a new code."""
        self.life, self.code, self.left = "pending", self.code + 1, self.allowance
        self.until, self.cool_at = now + TIME_TO_LIVE, now + COOLDOWN

    def accepted(self, code: int) -> None:
        """Hear that a channel took that code; one that was replaced since revives nothing."""
        if code == self.code and self.life == "superseded":
            self.life = self.before

    def unknown(self, code: int) -> None:
        """Note an unknown outcome: it may have arrived, and may be sent again at once."""
        self.accepted(code)
        if code == self.code:
            self.cool_at = -1e9

    def rejected(self, code: int) -> None:
        """Hear that no channel took that code."""
        if code == self.code:
            self.cool_at = -1e9
            if code == 1 and self.life in ("pending", "expired", "superseded"):
                self.life = "failed"

    def guess(self, now: float, right: bool) -> list[type]:
        """Return the expected result of a guess."""
        if self.life in REFUSALS and self.life not in ("superseded", "erased"):
            return [REFUSALS[self.life]]
        if now < self.guesses[-self.rate] + WINDOW:
            return [RateLimitedError]
        if self.life in ("superseded", "expired", "erased"):
            return [PinExpiredError]
        if now >= self.until:
            self.life = "expired"
            return [PinExpired]
        self.guesses.append(now)
        self.left -= not right
        self.life = "verified" if right else "blocked" if self.left < 0 else "pending"
        return [PinVerified if right else PinBlocked if self.left < 0 else VerifyFailed]


class PinLife(RuleBasedStateMachine):
    """Actions of callers, providers, recovery and clocks on two PINs at a time."""

    @initialize(attempts=st.integers(1, 3), rate=st.sampled_from([1, 3, 99]))
    def open_the_tea_house(self, attempts: int, rate: int) -> None:
        """Start with no PIN, under some limits."""
        self.now = 0.0
        self.policy = PinPolicy(
            pin_attempts=attempts,
            pin_time_to_live=Duration(f"{TIME_TO_LIVE}s"),
            resend_cooldown=Duration(f"{COOLDOWN}s"),
            verify_pin_limit=Rate(f"{rate}/{WINDOW}s"),
            # How many may be sent is not this machine's matter.
            send_pin_per_phone_number_limit=Rate("10000/1d"),
        )
        self.streams: dict[str, list[Event]] = {}
        self.live: dict[str, Pin] = {}
        self.naive: dict[str, NaivePin] = {}
        self.holders: set[str] = set()

    @property
    def at(self) -> datetime:
        """The service's clock."""
        return NOON + timedelta(seconds=self.now)

    def append(self, name: str, decision: Decision) -> None:
        """Do what the store does: check the conditions, then write the events."""
        for condition in decision.conditions:
            match condition:
                case Hold():
                    self.holders.add(name)
                case Release():
                    self.holders.discard(name)
                case SoleHolder():
                    self.holders = {name}
        self.streams[name] += decision.events
        self.live[name] = pin_decider.fold(decision.events, self.live.get(name))

    def attempt(self, name: str, decide: Any, command: Any) -> list[type]:
        """Decide and append; a refusal must leave everything as it was."""
        before = repr(self.live[name])
        try:
            decision = decide(self.live[name], command)
        except DomainError as refusal:
            assert before == repr(self.live[name])
            return [type(refusal)]
        self.append(name, decision)
        return [type(event) for event in decision.events]

    @rule(seconds=st.sampled_from([0.5, 3, 10, 60]))
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @rule(seconds=st.sampled_from([0.5, 3, 30]))
    def clock_steps_back(self, seconds: float) -> None:
        """Correct a clock that was fast."""
        self.now -= seconds

    @precondition(lambda self: sum(pin.life not in OVER for pin in self.naive.values()) < 2)
    @rule()
    def create(self) -> None:
        """Send the first code of another PIN."""
        name = f"pin-{len(self.streams) + 1}"
        self.streams[name] = []
        self.naive[name] = NaivePin(self.policy.pin_attempts, self.policy.verify_pin_limit.count)
        command = IssuePin(
            at=self.at,
            pin_id=name,
            account_id="account-orchid",
            template_id=TEMPLATE,
            person_id=PERSON,
            destination=DESTINATION,
            channels=(Channel.SMS,),
            code_hash="1$hash",
            policy=self.policy,
        )
        self.append(name, issue(command))
        self.naive[name].send(self.now)

    @precondition(lambda self: bool(self.live))
    @rule(data=st.data())
    def resend(self, data: st.DataObject) -> None:
        """Send the next code of a PIN."""
        name = self.pick_pin(data)
        again = ResendPin(
            at=self.at, channels=(Channel.SMS,), code_hash="1$hash", policy=self.policy
        )
        assert self.naive[name].resend(self.now) == self.attempt(name, resend, again)

    @precondition(lambda self: any(pin.undispatched for pin in self.live.values()))
    @rule(data=st.data(), says=st.sampled_from(["yes", "yes", "yes", "no", "silence"]))
    def provider_answers(self, data: st.DataObject, says: str) -> None:
        """Record an outcome, and let one that may have arrived retire the other holder."""
        name, code = self.pick_dispatch(data)
        rivals = self.holders - {name}
        report = RecordDispatch(
            at=self.at,
            pin_id=name,
            issue=code,
            outcomes=(SAYS[says],),
            retiring=frozenset(rivals),
        )
        decision = record_dispatch(self.live[name], report)
        owns = any(isinstance(condition, SoleHolder) for condition in decision.conditions)
        self.append(name, decision)
        if says == "yes":
            self.naive[name].accepted(code)
        elif says == "silence":
            self.naive[name].unknown(code)
        else:
            self.naive[name].rejected(code)
            assert not owns
        for rival in rivals if owns else ():
            self.attempt(rival, supersede, SupersedePin(at=self.at, by=name))
            self.naive[rival].before = self.naive[rival].life
            self.naive[rival].life = "superseded"

    @precondition(lambda self: any(pin.undispatched for pin in self.live.values()))
    @rule(data=st.data())
    def process_dies_and_recovery_finds_out(self, data: st.DataObject) -> None:
        """Close a dispatch without a report, once."""
        name, code = self.pick_dispatch(data)
        recovery = RecoverDispatch(at=self.at, issue=code)

        assert [PinDispatched] == self.attempt(name, recover_dispatch, recovery)
        assert [] == self.attempt(name, recover_dispatch, recovery)

    @precondition(lambda self: bool(self.live))
    @rule(data=st.data(), right=st.sampled_from([False, False, False, True]))
    def guess(self, data: st.DataObject, right: bool) -> None:
        """Enter the live code of a PIN, or another."""
        name = self.pick_pin(data)
        typed = VerifyPin(at=self.at, pin_id=name, matched=right)

        assert self.naive[name].guess(self.now, right) == self.attempt(name, verify, typed)

    @precondition(lambda self: bool(self.live))
    @rule(data=st.data())
    def person_is_erased(self, data: st.DataObject) -> None:
        """End a PIN by the erasure of its person; a verified or blocked one stays as it is."""
        name = self.pick_pin(data)
        naive = self.naive[name]
        ends = naive.life not in ("verified", "blocked", "erased")
        naive.life = "erased" if ends else naive.life

        assert [PinErased] * ends == self.attempt(name, erase, ErasePin(at=self.at, pin_id=name))

    def pick_pin(self, data: st.DataObject) -> str:
        """Draw one of the latest PINs."""
        return data.draw(st.sampled_from(list(self.live)[-3:]))

    def pick_dispatch(self, data: st.DataObject) -> tuple[str, int]:
        """Draw a dispatch whose outcome is not known yet."""
        return data.draw(
            st.sampled_from(
                [(name, code) for name, pin in self.live.items() for code in pin.undispatched]
            )
        )

    @invariant()
    def the_model_agrees(self) -> None:
        """Status, attempts and number of the code are the naive model's."""
        for name, pin in self.live.items():
            naive = self.naive[name]
            late = naive.life == "pending" and self.now >= naive.until
            words = {"superseded": "expired", "failed": "dispatch_failed", "erased": "expired"}
            life = "expired" if late else words.get(naive.life, naive.life)

            assert PinStatus(life.upper()) == pin.status_at(self.at)
            assert max(0, naive.left) == pin.attempts_remaining
            assert naive.code == pin.issue

    @invariant()
    def what_could_still_be_verified_competes_for_the_live_code(self) -> None:
        """Every PIN that is not over can be retired by another, and no other can."""
        assert self.holders == {n for n, pin in self.naive.items() if pin.life not in OVER}
        assert self.holders == {n for n, pin in self.live.items() if held_by(pin)}

    @invariant()
    def an_expiry_is_met_once(self) -> None:
        """PinExpired is appended once for a code."""
        for events in self.streams.values():
            met = [event.issue for event in events if isinstance(event, PinExpired)]
            assert len(met) == len(set(met))

    @invariant()
    def replaying_the_events_gives_the_live_state(self) -> None:
        """The stream alone determines the state."""
        for name, pin in self.live.items():
            assert pin == pin_decider.fold(self.streams[name])

    @invariant()
    def no_code_is_judged_more_often_than_it_may(self) -> None:
        """At most pinAttempts + 1 verdicts a code, and never fewer than no attempts left."""
        for events in self.streams.values():
            verdicts = [event for event in events if isinstance(event, VERDICTS)]
            for code in {verdict.issue for verdict in verdicts}:
                judged = sum(verdict.issue == code for verdict in verdicts)
                assert judged <= self.policy.pin_attempts + 1
            for verdict in verdicts:
                if isinstance(verdict, VerifyFailed):
                    assert verdict.attempts_remaining >= 0

    @invariant()
    def a_verdict_that_ends_the_pin_is_the_last(self) -> None:
        """VERIFIED and BLOCKED are final: at most one success, and no verdict after it."""
        for events in self.streams.values():
            ends = [n for n, e in enumerate(events) if isinstance(e, PinVerified | PinBlocked)]
            assert len(ends) <= 1
            after = events[ends[0] + 1 :] if ends else []
            assert all(isinstance(event, PinDispatched) for event in after)

    @invariant()
    def guesses_keep_their_distance(self) -> None:
        """The verify rate is never exceeded, not by resends and not by odd clocks."""
        rate = self.policy.verify_pin_limit
        for events in self.streams.values():
            times = sorted(event.at for event in events if isinstance(event, VERDICTS))
            for soon, late in zip(times, times[rate.count :], strict=False):
                assert late - soon >= rate.window


TestPinLife = PinLife.TestCase
# Rare stories (the right code at zero attempts, a revival) need more tries than a plain property.
TestPinLife.settings = settings(max_examples=4 * settings().max_examples)
