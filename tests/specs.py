"""
Given, when, then: tests of decisions that read as sentences.

`given(PinIssued(...)).when(verify, VerifyPin(...)).then(VerifyFailed(...))`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from attrs import frozen

from watchword.application.records import record_of
from watchword.domain.conditions import Condition
from watchword.domain.decider import Decision
from watchword.domain.errors import DomainError
from watchword.domain.event import Event

E = TypeVar("E", bound=DomainError)


@frozen
class When:
    """A decision about to be made."""

    past: tuple[Event, ...]
    decide: Callable[..., Decision]
    facts: tuple[Any, ...]

    def decision(self) -> Decision:
        """Decide: on the state of the past events, or on nothing without past events."""
        state = (state_after(*self.past),) if self.past else ()
        return self.decide(*state, *self.facts)

    def then(self, *events: Event) -> When:
        """Expect exactly these events."""
        assert events == self.decision().events
        return self

    def on_condition(self, *conditions: Condition) -> When:
        """Expect exactly these conditions, in this order; none for an unconditional decision."""
        assert conditions == self.decision().conditions
        return self

    def leaving(self, **fields: Any) -> When:
        """Expect these fields of the state once the events are applied."""
        state = state_after(*self.past, *self.decision().events)
        assert fields == {name: getattr(state, name) for name in fields}
        return self

    def nothing(self) -> None:
        """Expect no event and no condition."""
        assert Decision() == self.decision()

    def refuses(self, error: type[E]) -> E:
        """Expect exactly this refusal, and return it for checks of its details."""
        with pytest.raises(error) as refusal:
            self.decision()
        assert error is refusal.type
        return refusal.value


@frozen
class Given:
    """The events before a command."""

    past: tuple[Event, ...]

    def when(self, decide: Callable[..., Decision], *facts: Any) -> When:
        """Decide a command on the given facts; the state of the past events comes first."""
        return When(self.past, decide, facts)


def given(*past: Event) -> Given:
    """Start a sentence with the events of one stream; with none, about something new."""
    return Given(past)


def state_after(*past: Event) -> Any:
    """Replay the events of one stream with the decider that knows them."""
    return record_of(past[0]).decider.fold(past)
