"""The budgets that the store last said are reached."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime

from ...domain.guard import Budget

MOST_BUDGETS = 10_000


class ReachedBudgets:
    """
    Remembers budgets that are reached, each until it is free again by what the store said (D-394).

    It is a hint: a send on the record begins with the flags of the last one, instead of being refused
    first, and sends that are expected to be refused take turns (D-573). The store checks what it expects,
    so a wrong hint costs an attempt or a wait, and nothing else. One budget may be under two limits,
    because that of guesses goes by the template.
    """

    def __init__(self, most: int = MOST_BUDGETS) -> None:
        self._most = most
        self._until: OrderedDict[tuple[str, int], datetime] = OrderedDict()

    @property
    def empty(self) -> bool:
        """Whether no budget is remembered."""
        return not self._until

    def expects(self, budget: Budget, at: datetime) -> bool:
        """Return whether a budget was reached, and is not free again at a time; forget one that is."""
        key = (budget.name, budget.rate.count)
        until = self._until.get(key)
        if until is None or at < until:
            return until is not None
        del self._until[key]
        return False

    def learn(self, budget: Budget, until: datetime) -> None:
        """Remember that a budget is reached until a time."""
        key = (budget.name, budget.rate.count)
        self._until[key] = until
        self._until.move_to_end(key)
        if len(self._until) > self._most:
            self._until.popitem(last=False)

    def forget(self, budget: Budget) -> None:
        """Remember that a budget is free."""
        self._until.pop((budget.name, budget.rate.count), None)
