"""Drop deliveries some time after they have ended, so that they do not grow without end."""

from __future__ import annotations

from datetime import timedelta

from ..journal import Journal
from ..ports.clock import Clock
from ..read_models.rows import CallbackDeliveryRow

KEPT_FOR = timedelta(days=7)


class ForgettingDeliveries:
    """Keeps ended deliveries for a week, in which they can be looked at and redelivered."""

    kind = None

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def run_due(self) -> int:
        """Drop some of what is too old, and give how many there were."""
        before = self._clock.now() - KEPT_FOR
        return await self._journal.forget_rows(CallbackDeliveryRow, "ended_at", before)
