"""Drop old data, so that the store does not grow without limit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial

from .journal import Journal
from .legacy import logging_in
from .legacy.tokens import EXACT_TO
from .operators import console_sessions
from .ports.clock import Clock
from .ports.event_store import REPLAY_SECONDS
from .records.callback_delivery import CallbackDeliveryRow
from .records.legacy_token import LegacyTokenRow

# The time in which an ended delivery can be read and redelivered (D-67).
DELIVERIES_KEPT_FOR = timedelta(days=7)
# A clock that is set back by so much empties no budget.
TALLIES_KEPT_FOR = timedelta(minutes=10)


class Forgetting:
    """Drops one kind of data older than `age`; `forget` drops some of it before a time."""

    kind = None

    def __init__(
        self, clock: Clock, age: timedelta, forget: Callable[[datetime], Awaitable[int]]
    ) -> None:
        self._clock = clock
        self._age = age
        self._forget = forget

    async def run_due(self) -> int:
        """Drop some of the old data and return how many records there were."""
        return await self._forget(self._clock.now() - self._age)


def forgetting(journal: Journal, clock: Clock) -> tuple[Forgetting, ...]:
    """Return the work on each kind: saved answers (C-10), deliveries, tokens, logins, tallies."""
    deliveries = partial(journal.forget_rows, CallbackDeliveryRow, "ended_at")
    tokens = partial(journal.forget_rows, LegacyTokenRow, "expires_at")
    # Strangers can make any number of these.
    wrong_logins = partial(journal.forget_uses, logging_in.SUBJECT)
    wrong_tokens = partial(journal.forget_uses, console_sessions.SUBJECT)
    return (
        Forgetting(clock, timedelta(seconds=REPLAY_SECONDS), journal.forget_answers),
        Forgetting(clock, DELIVERIES_KEPT_FOR, deliveries),
        Forgetting(clock, EXACT_TO, tokens),
        Forgetting(clock, 2 * logging_in.COUNTED_FOR, wrong_logins),
        Forgetting(clock, 2 * console_sessions.COUNTED_FOR, wrong_tokens),
        Forgetting(clock, TALLIES_KEPT_FOR, journal.forget_tallies),
    )
