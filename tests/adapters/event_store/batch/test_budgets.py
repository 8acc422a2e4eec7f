"""Settling budgets: a batch counts as its appends would one by one, and as a list of sends does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from tests.contracts.event_store.histories import FERN, NOON, second, step
from watchword.adapters.event_store.batch.budgets import Counts, Tallies
from watchword.adapters.event_store.batch.facts import Facts, Questions, questions
from watchword.adapters.event_store.batch.settling import Writes, settle
from watchword.application.ports.event_store import Append, BudgetsMoved, StoreRefusal
from watchword.domain.conditions import Condition, GiveBack, StartAnew, Unchanged, WithinBudget
from watchword.domain.guard import BUCKETS, bucket_at
from watchword.domain.rate_limit import Rate

REAL_NOW = 1000.0
WINDOW = timedelta(minutes=1)
BUCKET = timedelta(seconds=1)
SUBJECTS = ("prefix", "ip")

subjects = st.sampled_from(SUBJECTS)
# Mostly in two windows, and some of them not at the beginning of a bucket.
times = st.integers(0, 260).map(lambda half: second(half / 2))
conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(
        lambda subject, most, at, counted: WithinBudget(
            subject, Rate(f"{most}/1m"), at, f"rule-{subject}", counted
        ),
        subjects,
        st.integers(1, 4),
        times,
        st.sampled_from((True, True, False)),
    ),
    st.builds(
        lambda subject, most, at: WithinBudget(
            subject, Rate(f"{most}/1m"), at, f"flag-{subject}", over=True
        ),
        subjects,
        st.integers(1, 3),
        times,
    ),
    st.builds(GiveBack, subjects, st.just(WINDOW), times),
    st.builds(StartAnew, subjects),
    st.builds(Unchanged, st.just(FERN), st.sampled_from((0, 0, 1))),
)
appends = st.lists(conditions, max_size=5).map(lambda made: step(conditions=tuple(made)))
batches = st.lists(appends, max_size=10)


@define
class Sends:
    """The reference: the second of every send that counts, by subject, and those that were verified."""

    sent: dict[str, list[datetime]] = field(factory=lambda: {each: [] for each in SUBJECTS})
    verified: dict[str, list[datetime]] = field(factory=lambda: {each: [] for each in SUBJECTS})

    def full_until(self, budget: WithinBudget) -> datetime | None:
        """Return the first second at which fewer sends than the rate count; None if that is now."""
        now = _second(budget.at)
        for later in (now, *(each + WINDOW + BUCKET for each in sorted(self.sent[budget.subject]))):
            if later >= now and self._counting(budget.subject, later) < budget.rate.count:
                return None if later == now else later
        raise AssertionError("No budget is full for ever.")

    def take(self, condition: Condition) -> None:
        """Count what one condition changes."""
        match condition:
            case WithinBudget(counted=True, over=False):
                self.sent[condition.subject].append(_second(condition.at))
            case GiveBack():
                at, subject = _second(condition.sent_at), condition.subject
                if self.sent[subject].count(at) > self.verified[subject].count(at):
                    self.verified[subject].append(at)
            case StartAnew():
                self.sent[condition.subject], self.verified[condition.subject] = [], []

    def rows(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Return what the store has of it."""
        counts = {
            each: (Counter(self.sent[each]), Counter(self.verified[each])) for each in SUBJECTS
        }
        return {
            (subject, bucket_at(at, WINDOW)): (count, verified[at])
            for subject, (sent, verified) in counts.items()
            for at, count in sent.items()
        }

    def _counting(self, subject: str, at: datetime) -> int:
        times = (self.sent[subject], self.verified[subject])
        sent, verified = (sum(each >= at - WINDOW for each in some) for some in times)
        return sent - verified


def _is_full(sends: Sends, budget: WithinBudget) -> bool:
    return sends.full_until(budget) is not None


def _second(at: datetime) -> datetime:
    return at.replace(microsecond=0)


def decided(append: Append, sends: Sends) -> tuple[Any, Sends]:
    """Return the verdict of the reference on an append, and the sends after it."""
    after = deepcopy(sends)
    for condition in append.conditions:
        if isinstance(condition, Unchanged) and condition.version:
            return "conflict", sends
        if isinstance(condition, WithinBudget) and condition.over != _is_full(after, condition):
            return _not_as_expected(append, sends), sends
        after.take(condition)
    return None, after


def _not_as_expected(append: Append, sends: Sends) -> tuple[dict[str, datetime], set[str]]:
    after = deepcopy(sends)
    reached: dict[str, datetime] = {}
    free: set[str] = set()
    for condition in append.conditions:
        if isinstance(condition, WithinBudget):
            until = after.full_until(condition)
            if until is None and condition.over:
                free.add(condition.rule)
            if until is not None and not condition.over:
                reached[condition.rule] = max(until, reached.get(condition.rule, until))
                continue
        after.take(condition)
    return reached, free


@define
class Stored:
    """The rows of a store, of which a batch reads only what it asks for."""

    rows: dict[tuple[str, int], tuple[int, int]] = field(factory=dict)

    def facts(self, asked: Questions) -> Facts:
        """Return the tallies that a batch asked for."""
        found: dict[str, dict[int, Counts]] = {}
        for (subject, bucket), row in self.rows.items():
            if subject in asked.tallies and bucket >= asked.tallies[subject]:
                found.setdefault(subject, {})[bucket] = row
        return Facts(tallies={subject: Tallies.of(each) for subject, each in found.items()})

    def write(self, writes: Writes) -> None:
        """Write what a batch changed."""
        for key, row in writes.tallies.items():
            if row is None:
                self.rows.pop(key, None)
            else:
                self.rows[key] = row[:2]


def told(verdicts: Iterable[StoreRefusal | None]) -> list[Any]:
    """Return verdicts in the words of the reference."""
    return [
        (dict(each.reached), set(each.free))
        if isinstance(each, BudgetsMoved)
        else each and "conflict"
        for each in verdicts
    ]


def expected(batch: Sequence[Append], sends: Sends) -> tuple[list[Any], Sends]:
    """Return the verdicts of the reference on appends, and the sends after them."""
    verdicts = []
    for each in batch:
        verdict, sends = decided(each, sends)
        verdicts.append(verdict)
    return verdicts, sends


@given(st.lists(batches, max_size=3))
def test_tallies_count_as_a_list_of_sends(several: list[list[Append]]) -> None:
    """Every verdict is the reference's, also across batches, and the store has the same in its rows."""
    stored, sends = Stored(), Sends()
    for batch in several:
        right, sends = expected(batch, sends)
        verdicts, writes = settle(batch, stored.facts(questions(batch)), REAL_NOW)
        stored.write(writes)

        assert right == told(verdicts)
        assert sends.rows() == stored.rows


@given(batches, batches, st.integers(0, 9))
def test_what_late_ones_need_of_budgets_is_asked_on_top(
    earlier: list[Append], batch: list[Append], on_time: int
) -> None:
    """A batch asked for in two parts is settled like one that was asked for at once."""
    stored = Stored()
    stored.write(settle(earlier, Facts(), REAL_NOW)[1])
    first = questions(batch[:on_time])
    facts = stored.facts(first)
    facts.add(stored.facts(questions(batch).beyond(first)))
    in_parts, writes = settle(batch, facts, REAL_NOW)
    at_once, same = settle(batch, stored.facts(questions(batch)), REAL_NOW)

    assert told(at_once) == told(in_parts)
    assert same == writes


def test_a_batch_without_budgets_asks_for_none() -> None:
    """So it has no statement for them."""
    asked = questions([step(conditions=(Unchanged(FERN, 0),))])

    assert Questions(streams={FERN}) == asked


def test_a_batch_asks_for_the_buckets_that_its_windows_reach() -> None:
    """From the oldest that any condition counts on; of a budget that starts anew, for all."""
    now = bucket_at(NOON, WINDOW)
    look = WithinBudget("prefix", Rate("1/1m"), NOON, "rule", counted=False)
    later = WithinBudget("prefix", Rate("1/1m"), second(9), "rule")
    asked = questions(
        [
            step(conditions=(later, look, later)),
            step(conditions=(GiveBack("ip", WINDOW, second(7)),)),
            step(conditions=(StartAnew("guesses"), GiveBack("guesses", WINDOW, NOON))),
        ]
    )

    assert asked.tallies.pop("guesses") < -(10**18)
    assert {"prefix": now - BUCKETS, "ip": now + 7} == asked.tallies


def test_what_changes_back_and_forth_is_written_once() -> None:
    """A row has the last value of the batch; an untouched one is not written."""
    now = bucket_at(NOON, WINDOW)
    send = WithinBudget("prefix", Rate("9/1m"), NOON, "rule")
    facts = Facts(tallies={"prefix": Tallies.of({now - 1: (3, 1), now: (1, 0)})})
    batch = [
        step(conditions=(send, GiveBack("prefix", WINDOW, NOON))),
        step(conditions=(send,)),
    ]
    _, writes = settle(batch, facts, REAL_NOW)
    until = int(NOON.timestamp()) + 61
    assert {("prefix", now): (3, 1, until)} == writes.tallies

    _, writes = settle([*batch, step(conditions=(StartAnew("prefix"), send))], facts, REAL_NOW)
    assert {("prefix", now - 1): None, ("prefix", now): (1, 0, until)} == writes.tallies


def test_a_change_ends_the_last_answer() -> None:
    """Of a budget that is reached, a place that is given back is there at once."""
    now = bucket_at(NOON, WINDOW)
    full = WithinBudget("prefix", Rate("2/1m"), NOON, "rule", over=True)
    send = WithinBudget("prefix", Rate("2/1m"), NOON, "rule")
    # What left the window is still in the store.
    facts = Facts(tallies={"prefix": Tallies.of({now - 100: (5, 0), now: (2, 0)})})
    batch = [step(conditions=(full, GiveBack("prefix", WINDOW, NOON), send, full))]

    assert [None] == told(settle(batch, facts, REAL_NOW)[0])


def test_a_refusal_takes_the_last_answer_back() -> None:
    """What a refused append changed is not in the answers to later ones."""
    now = bucket_at(NOON, WINDOW)
    once = Rate("1/1m")
    send, full = (WithinBudget("prefix", once, NOON, "rule", over=over) for over in (False, True))
    facts = Facts(tallies={"prefix": Tallies.of({now - 30: (2, 0)})})
    refused = step(conditions=(StartAnew("prefix"), send, full, Unchanged(FERN, 7)))
    verdicts, _ = settle([refused, step(conditions=(send,))], facts, REAL_NOW)

    assert ["conflict", ({"rule": second(31)}, set())] == told(verdicts)
