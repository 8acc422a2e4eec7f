"""A process remembers which budgets are reached, within a bound (D-394)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from watchword.application.guard.reached_budgets import ReachedBudgets
from watchword.domain.guard import Budget, Mode, Rule
from watchword.domain.rate_limit import Rate

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def budget(name: str = "first", limit: str = "20/1h") -> Budget:
    """Return a budget on the record."""
    return Budget(Rule.PREFIX, Mode.RECORD, name, Rate(limit))


def test_a_budget_is_expected_to_be_reached_until_its_time() -> None:
    """At that time it is free again, and forgotten."""
    reached = ReachedBudgets()
    reached.learn(budget(), LATER)

    assert reached.expects(budget(), NOON)
    assert not reached.expects(budget(), LATER)
    assert reached.empty


def test_a_budget_that_is_free_early_is_forgotten() -> None:
    """A verification or a release makes it so."""
    reached = ReachedBudgets()
    reached.learn(budget(), LATER)
    reached.forget(budget())

    assert not reached.expects(budget(), NOON)


def test_the_same_budget_under_another_limit_is_another() -> None:
    """Templates with other attempts have other limits of guesses."""
    reached = ReachedBudgets()
    reached.learn(budget(), LATER)

    assert not reached.expects(budget(limit="21/1h"), NOON)


def test_the_longest_known_is_forgotten_first() -> None:
    """An attack on many subjects fills a bounded memory."""
    reached = ReachedBudgets(most=2)
    for name in ("first", "second", "third"):
        reached.learn(budget(name), LATER)

    assert [False, True, True] == [
        reached.expects(budget(name), NOON) for name in ("first", "second", "third")
    ]
