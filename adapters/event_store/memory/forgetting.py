"""What a store in memory forgets once it is old."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ..batch.budgets import forget_tallies
from ..batch.facts import Facts
from ..batch.idempotency import KeyRecord


class MemoryForgetting:
    """Drops saved answers, uses and tallies from the facts that appends are settled by."""

    _facts: Facts

    async def forget_answers(self, before: datetime) -> int:
        """Drop the saved answers to keys that were taken before a time."""
        return self._drop_answers(lambda record: record.taken_at < before)

    async def forget_answers_about(self, person_id: str) -> int:
        """Drop the saved answers to calls about one person."""
        return self._drop_answers(lambda record: record.person_id == person_id)

    def _drop_answers(self, among: Callable[[KeyRecord], bool]) -> int:
        dropped = [
            scope
            for scope, record in self._facts.keys.items()
            if record.answer is not None and among(record)
        ]
        for scope in dropped:
            del self._facts.keys[scope]
        return len(dropped)

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """Drop the uses of subjects with this prefix that were last used before a time."""
        old = [
            subject
            for subject, uses in self._facts.uses.items()
            if subject.startswith(prefix) and max(uses.times.values()) < before
        ]
        return sum(len(self._facts.uses.pop(subject).times) for subject in old)

    async def forget_tallies(self, before: datetime) -> int:
        """Drop the tallies that no window reaches any more at a time."""
        return forget_tallies(self._facts.tallies, before)
