"""Judge the recipients of messages by the rules about numbers themselves (C-77)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...domain.channel import ChannelName
from ...domain.conditions import Unchanged
from ...domain.destination import canonical
from ...domain.guard import (
    Guard,
    Rule,
    asks_about_numbers,
    country_subject,
    destination_refused,
    person_subject,
)
from ..ports.event_store import Loaded
from ..ports.number_plan import NumberPlan
from .counted_decisions import CountedDecisions
from .guards import Guards, unchanged

NOT_ALLOWED = (
    "The account's guard does not let it send to this number."
    " Check the number; what is allowed is your operator's choice."
)


class GuardedSend:
    """
    Judges the recipients of one call, and remembers what is to be counted once the call is recorded.

    The append that records the call requires `unchanged`, because another policy would judge otherwise.
    """

    def __init__(
        self, guard: Loaded[Guard], number_plan: NumberPlan, decisions: CountedDecisions
    ) -> None:
        self._guard = guard
        self._number_plan = number_plan
        self._decisions = decisions
        self._asks = asks_about_numbers(guard.state.policy)
        self._uncounted: list[Callable[[], None]] = []

    @property
    def unchanged(self) -> Unchanged:
        """The condition that the guard is still the one that judged."""
        return unchanged(self._guard)

    def refuses(self, channel: ChannelName, recipient: str, person_id: str) -> bool:
        """Return whether a number may not be sent to on a channel."""
        if not self._asks:
            return False
        number = canonical(recipient)
        country = self._number_plan.country_of(number)
        possible = self._number_plan.possible(number)
        verdict = destination_refused(self._guard.state.policy, (channel,), country, possible)
        for rule in verdict.flags:
            self._note(self._decisions.flagged, rule, number, person_id, country)
        if verdict.refused is None:
            return False
        self._note(self._decisions.refused, verdict.refused, number, person_id, country)
        return True

    def count(self) -> None:
        """Count what was refused and flagged, because the call is recorded."""
        for each in self._uncounted:
            each()
        self._uncounted.clear()

    def _note(
        self,
        decided: Callable[..., None],
        rule: Rule,
        number: str,
        person_id: str,
        country: str | None,
    ) -> None:
        subject = (
            country_subject(country)
            if rule is Rule.COUNTRIES
            else person_subject(number, person_id, country)
        )
        self._uncounted.append(partial(decided, self._guard.state.account_id, rule, subject))


class GuardingRecipients:
    """Finds the guard that judges the recipients of a call."""

    def __init__(
        self, guards: Guards, number_plan: NumberPlan, decisions: CountedDecisions
    ) -> None:
        self._guards = guards
        self._number_plan = number_plan
        self._decisions = decisions

    async def of(self, account_id: str) -> GuardedSend:
        """Return the guard of an account's call, as this process remembers it."""
        guard = await self._guards.recall(account_id)
        return GuardedSend(guard, self._number_plan, self._decisions)
