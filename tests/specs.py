"""
Given, when, then: tests of decisions that read as sentences.

`given(PinIssued(...)).when(verify, VerifyPin(...)).then(VerifyFailed(...))`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from attrs import frozen

from watchword.domain.account import account_decider
from watchword.domain.api_key import api_key_decider
from watchword.domain.callback_endpoint import callback_endpoint_decider
from watchword.domain.channel_account import channel_account_decider
from watchword.domain.chat_rating import chat_rating_decider
from watchword.domain.conditions import Condition
from watchword.domain.consent import consent_decider
from watchword.domain.decider import Decider, Decision
from watchword.domain.dlt_template import dlt_template_decider
from watchword.domain.errors import DomainError
from watchword.domain.event import Event
from watchword.domain.fallback_configuration import fallback_configuration_decider
from watchword.domain.fallback_run import fallback_run_decider
from watchword.domain.legacy_user import legacy_user_decider
from watchword.domain.media import media_decider
from watchword.domain.message import message_decider
from watchword.domain.parked_receipt import parked_receipt_decider
from watchword.domain.pin import pin_decider
from watchword.domain.pin_template import pin_template_decider
from watchword.domain.rcs_template import rcs_template_decider
from watchword.domain.shared_content import shared_content_decider
from watchword.domain.short_link import short_link_decider
from watchword.domain.whatsapp_template import whatsapp_template_decider

DECIDERS: tuple[Decider[Any], ...] = (
    account_decider,
    api_key_decider,
    callback_endpoint_decider,
    channel_account_decider,
    fallback_configuration_decider,
    pin_decider,
    pin_template_decider,
    message_decider,
    fallback_run_decider,
    parked_receipt_decider,
    shared_content_decider,
    short_link_decider,
    consent_decider,
    dlt_template_decider,
    media_decider,
    rcs_template_decider,
    whatsapp_template_decider,
    legacy_user_decider,
    chat_rating_decider,
)

E = TypeVar("E", bound=DomainError)


@frozen
class When:
    """A decision about to be made."""

    past: tuple[Event, ...]
    decide: Callable[..., Decision]
    facts: tuple[Any, ...]

    def decision(self) -> Decision:
        """Decide: on the state that the past left, or on nothing where there is no past."""
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
        """Expect exactly this refusal, and give it back for a look at its details."""
        with pytest.raises(error) as refusal:
            self.decision()
        assert error is refusal.type
        return refusal.value


@frozen
class Given:
    """What happened before."""

    past: tuple[Event, ...]

    def when(self, decide: Callable[..., Decision], *facts: Any) -> When:
        """Say what is decided, on which facts; the state that the past left comes first."""
        return When(self.past, decide, facts)


def given(*past: Event) -> Given:
    """Start a sentence with the events of one stream; with none, about something new."""
    return Given(past)


def state_after(*past: Event) -> Any:
    """Replay the events of one stream with the decider that knows them."""
    decider = next(each for each in DECIDERS if isinstance(past[0], each.events))
    return decider.fold(past)
