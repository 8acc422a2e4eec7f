"""Append what the guard checked, learn from a refusal, and count what the guard decided."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

from ...domain.errors import RateLimitedError
from ...domain.guard import Budget, DestinationNotAllowedError, Mode, Rule
from ..concurrency.keyed_queue import KeyedQueue
from ..journal import CONTENTION_SECONDS
from ..ports.event_store import BudgetsMoved
from .checked import Checked, LookedAt, label
from .counted_decisions import CountedDecisions
from .reached_budgets import ReachedBudgets

T = TypeVar("T")


class Heeding:
    """Heeds what the store says of the budgets that sends and guesses were checked against."""

    def __init__(self, decisions: CountedDecisions) -> None:
        self._decisions = decisions
        self._reached = ReachedBudgets()
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    def flagged(self, budgets: tuple[Budget, ...], at: datetime) -> tuple[Budget, ...]:
        """Return those budgets on the record that are expected to be reached."""
        if self._reached.empty:
            # Where nobody attacks, no send looks any budget up.
            return ()
        expects = self._reached.expects
        return tuple([each for each in budgets if each.mode is Mode.RECORD and expects(each, at)])

    async def append(self, checked: Checked, append: Callable[[], Awaitable[T]]) -> T:
        """
        Append, count the flags once it is made, and return its result.

        Appends of an account that are expected to be refused take turns, so that a flood of them leaves
        the store to the other accounts (D-573).

        Raises `RateLimitedError` for a rule that is enforced. Any other budget that is not as expected
        is learnt and raised on, for `retry_on_conflict`.
        """
        over = self._over(checked)
        try:
            if over:
                result = await self._queue.take(checked.target.account_id, append)
            else:
                result = await append()
        except BudgetsMoved as moved:
            refusal = self._refusal(checked, moved)
            if refusal is None:
                raise
            raise refusal from None
        for each in over:
            self._reached.forget(each)
        if checked.flagged or checked.outright:
            self._count_flags(checked)
        return result

    def not_allowed(
        self, looked: LookedAt, rule: Rule, *, known: bool = True
    ) -> DestinationNotAllowedError:
        """Count the refusal of a destination, and return it; the store has no person who is not `known`."""
        subject = looked.target.subject(rule, looked.person_id if known else None)
        self._decisions.refused(looked.target.account_id, rule, subject)
        return DestinationNotAllowedError(rule)

    def _over(self, checked: Checked) -> tuple[Budget, ...]:
        """Return those enforced budgets that are expected to refuse a send or a guess."""
        if self._reached.empty:
            return ()
        expects, at = self._reached.expects, checked.at
        return tuple([b for b in checked.budgets if b.mode is Mode.ENFORCE and expects(b, at)])

    def _refusal(self, checked: Checked, moved: BudgetsMoved) -> RateLimitedError | None:
        """Return the refusal of the first enforced rule; None if the send is to be decided again."""
        first: Budget | None = None
        guesses_moved = False
        for each in checked.budgets:
            until = moved.reached.get(label(each))
            if until is not None:
                self._reached.learn(each, until)
                if each.mode is Mode.ENFORCE:
                    first = first or each
                    continue
            elif label(each) in moved.free:
                self._reached.forget(each)
            else:
                continue
            guesses_moved = guesses_moved or each.rule is Rule.GUESSES
        # The template's rates stand between the guesses and the other budgets, and were not checked.
        if first is None or guesses_moved:
            return None
        subject = checked.subject(first.rule, first, refused=True)
        self._decisions.refused(checked.target.account_id, first.rule, subject, first.rate)
        return RateLimitedError(first.rule.value, moved.reached[label(first)] - checked.at)

    def _count_flags(self, checked: Checked) -> None:
        account_id = checked.target.account_id
        for rule in checked.outright:
            self._decisions.flagged(account_id, rule, checked.subject(rule, None, refused=False))
        for each in checked.flagged:
            subject = checked.subject(each.rule, each, refused=False)
            self._decisions.flagged(account_id, each.rule, subject, each.rate)
