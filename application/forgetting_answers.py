"""Drop saved answers that nobody can ask for any more (C-10: 24 hours)."""

from __future__ import annotations

from datetime import timedelta

from .journal import Journal
from .ports.clock import Clock
from .ports.event_store import REPLAY_SECONDS


class ForgettingAnswers:
    """Keeps the Idempotency-Keys of a day and no more."""

    kind = None

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def run_due(self) -> int:
        """Drop some of what is too old, and give how many there were."""
        return await self._journal.forget_answers(
            self._clock.now() - timedelta(seconds=REPLAY_SECONDS)
        )
