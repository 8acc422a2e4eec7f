"""A fallback run and its messages, driven by facts in any order beside a naive model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from watchword.domain import fallback_run as runs
from watchword.domain import message as messages
from watchword.domain.channel import (
    PROVIDER_TIMEOUT,
    Channel,
    ChannelOutcome,
    OutcomeStatus,
    interrupted,
)
from watchword.domain.decider import Decision
from watchword.domain.event import Event
from watchword.domain.fallback_run import (
    AttemptEnded,
    FallbackDispatched,
    FallbackFired,
    FallbackRejected,
    FallbackRun,
    FallbackStep,
    FallbackStoodDown,
    FallbackTriggered,
    RevokeOutcome,
    RunStatus,
    Triggered,
    fallback_run_decider,
)
from watchword.domain.message import Message, SmsContent, message_decider
from watchword.domain.receipt import Receipt, ReceiptStatus

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
WAIT = 60
PERSON = "per_guest"
NAMES = ("msg_primary", "msg_step_1", "msg_step_2")
READY = SmsContent(type="SI", text="Your tea is ready.")
SAYS = {
    "yes": ChannelOutcome(channel=Channel.SMS, status=OutcomeStatus.ACCEPTED),
    "no": ChannelOutcome(channel=Channel.SMS, status=OutcomeStatus.REJECTED),
    "silence": ChannelOutcome(
        channel=Channel.SMS, status=OutcomeStatus.UNKNOWN, error_code=PROVIDER_TIMEOUT
    ),
    "nobody knows": interrupted(Channel.SMS),
}
OPEN_ENDED = ("silence", "nobody knows")
MOVED = ("sent", "delivered", "read", "failed", "expired", "revoked")
LADDER = ("accepted", "sent", "delivered", "read")

lost = st.sampled_from([False, False, False, True])
steps = st.integers(1, 2)
says = st.sampled_from(list(SAYS))


class NaiveRun:
    """A run in the plainest words: which events the next fact should lead to."""

    def __init__(self, last: int) -> None:
        self.last, self.turn, self.phase, self.word = last, 1, "waiting", "armed"
        self.until: float | None = WAIT
        self.live, self.unheard = 0, set[int]()

    def primary(self, answer: str) -> list[type]:
        """Hear the answer of the primary's provider."""
        if answer == "no" and self.phase == "waiting" and self.turn == 1:
            self.phase = "due"
            return [FallbackTriggered]
        return []

    def receipt(self, attempt: int, status: ReceiptStatus) -> list[type]:
        """Hear of a receipt."""
        if attempt != self.live:
            late = attempt < self.live and status in ("delivered", "read")
            return self.stand_down() if late and self.phase == "waiting" else []
        if status in ("delivered", "read") and self.phase in ("waiting", "ending"):
            return self.stand_down()
        if status == "failed" and self.phase == "waiting":
            self.phase = "due"
            return [FallbackTriggered]
        return []

    def tick(self, now: float) -> list[type]:
        """Look at the clock."""
        if self.phase == "waiting" and self.until is not None and now >= self.until:
            self.phase = "ending"
            return [FallbackTriggered]
        return []

    def end(self, step: int, outcome: RevokeOutcome) -> list[type]:
        """Hear how the attempt before a step was ended."""
        if self.phase != "ending" or step != self.turn:
            return []
        if outcome == "delivered":
            return [AttemptEnded, *self.stand_down()]
        self.phase = "due"
        return [AttemptEnded]

    def fire(self, step: int) -> list[type]:
        """Send a step."""
        if self.phase != "due" or step != self.turn:
            return []
        self.live, self.word, self.until = step, "fired", None
        self.unheard.add(step)
        self.turn, self.phase = step + 1, "over" if step == self.last else "waiting"
        return [FallbackFired]

    def dispatched(self, step: int, answer: str, now: float) -> list[type]:
        """Hear the answer of a step's provider."""
        if step not in self.unheard:
            return []
        if answer not in OPEN_ENDED:
            self.unheard.discard(step)
        if self.phase == "waiting" and self.turn == step + 1:
            if answer == "no":
                self.phase = "due"
                return [FallbackDispatched, FallbackTriggered]
            self.until = now + WAIT
        return [FallbackDispatched]

    def reject(self, step: int) -> list[type]:
        """Find that a step cannot be sent."""
        if self.phase not in ("ending", "due") or step != self.turn:
            return []
        self.phase, self.word = "over", "rejected"
        return [FallbackRejected]

    def stand_down(self) -> list[type]:
        """Be glad that something arrived."""
        self.phase, self.word = "over", "fired" if self.live else "stood_down"
        return [FallbackStoodDown]


class RunLife(RuleBasedStateMachine):
    """Actions of providers, clocks, crashes and several nodes on one run."""

    @initialize(last=steps)
    def arm_a_run(self, last: int) -> None:
        """Submit the primary, and arm its run."""
        self.now = 0.0
        self.naive = NaiveRun(last)
        self.sends: Counter[int] = Counter()
        self.history: dict[str, list[Event]] = {}
        self.messages: dict[str, Message] = {}
        self.submit(0)
        step = FallbackStep(
            person_id=PERSON,
            channel=Channel.SMS,
            sender="TEAHSE",
            recipient="+919812345610",
            content=READY,
        )
        command = runs.ArmFallback(
            at=self.at,
            account_id="account-orchid",
            person_id=PERSON,
            message_id=NAMES[0],
            fallback_id="tea-first",
            waittime_seconds=WAIT,
            steps=(step,) * last,
        )
        self.events: list[Event] = list(runs.arm(command).events)
        self.run: FallbackRun = fallback_run_decider.fold(self.events)

    @property
    def at(self) -> datetime:
        """The service's clock."""
        return NOON + timedelta(seconds=self.now)

    def submit(self, attempt: int) -> None:
        """Begin a message's stream."""
        command = messages.SubmitMessage(
            at=self.at,
            account_id="account-orchid",
            person_id=PERSON,
            channel=Channel.SMS,
            channel_account_id="cha_counter",
            sender="TEAHSE",
            recipient="+919812345610",
            content=READY,
        )
        self.history[NAMES[attempt]] = list(messages.submit(command).events)
        self.messages[NAMES[attempt]] = message_decider.fold(self.history[NAMES[attempt]])

    def decide(
        self,
        decide: Callable[[FallbackRun, Any], Decision],
        command: Any,
        lost: bool,
        expected: Callable[[], list[type]],
    ) -> bool:
        """Decide and append, unless the process dies in between; say whether anything happened."""
        decision = decide(self.run, command)
        # A second decision on the stored events is the same.
        assert decision == decide(fallback_run_decider.fold(self.events), command)
        if lost:
            return False
        assert expected() == [type(event) for event in decision.events]
        self.events += decision.events
        self.run = fallback_run_decider.fold(decision.events, self.run)
        return bool(decision.events)

    def tell(self, attempt: int, decide: Any, command: Any) -> None:
        """Decide on a message, in the same append."""
        name = NAMES[attempt]
        before = self.messages[name]
        decision: Decision = decide(before, command)
        self.history[name] += decision.events
        self.messages[name] = after = message_decider.fold(decision.events, before)
        if before.doubtful:
            # The outcome was unknown, so any report moves it.
            assert after.doubtful or after.outcome != before.outcome or after.status in MOVED
        elif before.status not in LADDER:
            assert before.status is after.status
        elif after.status in LADDER:
            assert LADDER.index(before.status) <= LADDER.index(after.status)

    @rule(seconds=st.sampled_from([1, 30, 60, 60, -5, -3600]))
    def clock_moves(self, seconds: float) -> None:
        """Let time pass, or correct a clock."""
        self.now += seconds

    @rule(answer=says, lost=lost)
    def provider_answers_the_primary(self, answer: str, lost: bool) -> None:
        """Record the primary's outcome once, with its consequences."""
        known = self.messages[NAMES[0]].outcome
        if known is not None and known.known:
            return
        heard = runs.TakePrimaryOutcome(at=self.at, outcome=SAYS[answer])
        self.decide(runs.primary_outcome, heard, lost, lambda: self.naive.primary(answer))
        if not lost:
            self.dispatched(0, answer)

    @rule(attempt=st.integers(0, 2), status=st.sampled_from(ReceiptStatus), lost=lost)
    def receipt_comes(self, attempt: int, status: ReceiptStatus, lost: bool) -> None:
        """Report on any sent message, however late or wrong."""
        if NAMES[attempt] not in self.messages:
            return
        heard = runs.TakeAttemptReceipt(at=self.at, message_id=NAMES[attempt], status=status)
        self.decide(runs.take_receipt, heard, lost, lambda: self.naive.receipt(attempt, status))
        if not lost:
            told = Receipt(status=status, reported_at=self.at)
            self.tell(
                attempt,
                messages.take_receipt,
                messages.TakeMessageReceipt(at=self.at, receipt=told),
            )

    @rule(lost=lost)
    def worker_ticks(self, lost: bool) -> None:
        """Run due work, any number of times."""
        self.decide(runs.tick, runs.Tick(at=self.at), lost, lambda: self.naive.tick(self.now))

    @rule(step=steps, outcome=st.sampled_from(RevokeOutcome), lost=lost)
    def revoke_is_answered(self, step: int, outcome: RevokeOutcome, lost: bool) -> None:
        """Hear from a channel that was asked to take a message back, or was not asked at all."""
        heard = runs.TakeEnding(at=self.at, step=step, outcome=outcome)
        before = NAMES.index(self.run.live_message_id)
        if self.decide(runs.ended, heard, lost, lambda: self.naive.end(step, outcome)) and (
            outcome is not RevokeOutcome.DELIVERED
        ):
            command = messages.EndMessage(at=self.at, revoked=outcome is RevokeOutcome.REVOKED)
            self.tell(before, messages.end, command)

    @rule(step=steps, lost=lost)
    def somebody_fires(self, step: int, lost: bool) -> None:
        """Try to send a step; only the node that records the fire may."""
        before = self.messages[self.run.live_message_id].status
        command = runs.FireStep(at=self.at, step=step, message_id=NAMES[step])
        if self.decide(runs.fire, command, lost, lambda: self.naive.fire(step)):
            # The recipient must not receive both, so the attempt before has ended.
            assert before not in LADDER
            self.submit(step)
            self.sends[step] += 1

    @rule(step=steps, answer=says, lost=lost)
    def provider_answers_a_step(self, step: int, answer: str, lost: bool) -> None:
        """Record a step's outcome, or an unknown one by recovery."""
        command = runs.RecordStepDispatch(at=self.at, step=step, outcome=SAYS[answer])
        if self.decide(
            runs.record_step_dispatch,
            command,
            lost,
            lambda: self.naive.dispatched(step, answer, self.now),
        ):
            self.dispatched(step, answer)

    @rule(step=steps, lost=st.sampled_from([True, True, False]))
    def a_step_turns_out_to_be_wrong(self, step: int, lost: bool) -> None:
        """Find an invalid SMS type when the step is due."""
        command = runs.RejectStep(at=self.at, step=step, error_code="invalid_type")
        self.decide(runs.reject_step, command, lost, lambda: self.naive.reject(step))

    @rule()
    def process_restarts(self) -> None:
        """Forget everything but the events."""
        self.run = fallback_run_decider.fold(self.events)
        self.messages = {n: message_decider.fold(past) for n, past in self.history.items()}

    def dispatched(self, attempt: int, answer: str) -> None:
        """Record how a message's provider answered."""
        command = messages.RecordDispatch(
            at=self.at, message_id=NAMES[attempt], outcome=SAYS[answer]
        )
        self.tell(attempt, messages.record_dispatch, command)

    def numbers(self, kind: type) -> list[int]:
        """Return the steps of all events of a kind, in order."""
        return [event.step for event in self.events if isinstance(event, kind)]  # type: ignore[attr-defined]  # only kinds with a step are asked for

    @invariant()
    def the_model_agrees(self) -> None:
        """Status, newest attempt and deadline are the naive model's."""
        assert self.naive.word == self.run.status
        assert NAMES[self.naive.live] == self.run.live_message_id
        assert (self.naive.phase == "over") is self.run.over
        waits = self.naive.phase == "waiting" and self.naive.until is not None
        assert waits is (self.run.deadline is not None)
        if self.run.deadline is not None:
            assert self.naive.until == (self.run.deadline - NOON).total_seconds()

    @invariant()
    def replaying_the_events_gives_the_live_state(self) -> None:
        """The stream alone determines the state."""
        assert self.run == fallback_run_decider.fold(self.events)

    @invariant()
    def no_step_is_sent_twice_or_without_its_trigger(self) -> None:
        """One trigger, one fire, one send a step, in that order; the steps in theirs."""
        fires, triggers = self.numbers(FallbackFired), self.numbers(FallbackTriggered)
        assert fires == [1, 2][: len(fires)]
        assert triggers == [1, 2][: len(triggers)]
        assert Counter(fires) == self.sends
        order = [
            (type(event), event.step)
            for event in self.events
            if isinstance(event, FallbackTriggered | FallbackFired)
        ]
        for step in fires:
            assert order.index((FallbackTriggered, step)) < order.index((FallbackFired, step))

    @invariant()
    def no_step_is_fired_and_not_needed(self) -> None:
        """Fired, stood down and rejected exclude each other, and nothing is fired after an end."""
        outs = self.numbers(FallbackStoodDown) + self.numbers(FallbackRejected)
        assert len(outs) <= 1
        assert not set(outs) & set(self.numbers(FallbackFired))

    def teardown(self) -> None:
        """Let the worker come by until nothing is left: no run ends silently."""
        if not hasattr(self, "run"):
            return
        for _ in range(12):
            if self.run.over and self.run.undispatched is None:
                break
            self.now = max(self.now, 0) + WAIT
            life = self.run.life
            if (fired := self.run.undispatched) is not None:
                self.provider_answers_a_step(fired, "nobody knows", False)
            elif isinstance(life, Triggered) and life.ended:
                self.somebody_fires(life.step, False)
            elif isinstance(life, Triggered):
                self.revoke_is_answered(life.step, RevokeOutcome.NOT_REVOKED, False)
            else:
                self.worker_ticks(False)
        assert self.run.over
        assert not self.run.needs_seal
        assert RunStatus.ARMED is not self.run.status


TestRunLife = RunLife.TestCase
# A run has few states but long ways to the far ones: a second step, a late outcome.
TestRunLife.settings = settings(max_examples=3 * settings().max_examples)
