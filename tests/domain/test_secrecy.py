"""No repr shows personal or secret values (C-31, C-38)."""

from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given

from tests.strategies import EVENTS, events, stories
from watchword.application.records import RECORDS
from watchword.domain.accounts.account import AccountLimitsSet, AccountResumed, AccountSuspended
from watchword.domain.accounts.api_key import ApiKeyCreated, api_key_decider
from watchword.domain.channel import Channel
from watchword.domain.conditions import Hold, Release, SoleHolder, WithinRate
from watchword.domain.event import Event, personal_fields, secret_fields
from watchword.domain.pin import IssuePin, PinIssued, PinResent, ResendPin, VerifyPin, pin_decider
from watchword.domain.pin_template import RenderedPin
from watchword.domain.pin_template.policy import PinPolicy
from watchword.domain.rate_limit import Rate
from watchword.domain.short_link import ShortLinkDisabled, ShortLinkEnabled

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
SECRET, PERSON = "oolong-4711", "+919812345610"
# Events that must come before, because the key's event takes them back.
TAKEN_BACK: dict[type[Event], tuple[Event, ...]] = {
    AccountResumed: (AccountSuspended(at=NOON),),
    AccountLimitsSet: (
        AccountLimitsSet(
            at=NOON, requests_per_second=4711, stored_bytes_per_day=4711, media_bytes=4711
        ),
    ),
    ShortLinkEnabled: (ShortLinkDisabled(at=NOON),),
}
HISTORY: tuple[Event, ...] = (
    PinIssued(
        at=NOON,
        account_id="account-orchid",
        template_id="template-tea-house",
        person_id="per_1",
        destination=PERSON,
        reference_id=PERSON,
        channels=(Channel.SMS,),
        code_hash=SECRET,
        expires_at=NOON,
        attempts=3,
        verify_limit=Rate("1/s"),
    ),
    PinResent(
        at=NOON,
        issue=2,
        channels=(Channel.SMS,),
        code_hash=SECRET,
        expires_at=NOON,
        attempts=3,
        verify_limit=Rate("1/s"),
    ),
)
KEY = ApiKeyCreated(
    at=NOON, account_id="account-orchid", name="web", prefix="ww_", key_hash=SECRET, scopes=()
)
SPEAKING = [
    *HISTORY,
    KEY,
    pin_decider.fold(HISTORY),
    api_key_decider.fold([KEY]),
    IssuePin(
        at=NOON,
        pin_id="pin-kettle",
        account_id="account-orchid",
        template_id="template-tea-house",
        person_id="per_1",
        destination=PERSON,
        reference_id=PERSON,
        channels=(Channel.SMS,),
        code_hash=SECRET,
        policy=PinPolicy(),
    ),
    ResendPin(at=NOON, channels=(Channel.SMS,), code_hash=SECRET, policy=PinPolicy()),
    WithinRate(f"sends:tea:{PERSON}", Rate("1/s"), NOON),
    SoleHolder(f"live-code:tea:{PERSON}", "pin-kettle"),
    Hold(f"live-code:tea:{PERSON}", "pin-kettle"),
    Release(f"api-key:{SECRET}", "key-1"),
    RenderedPin(text=f"Code {SECRET}", subject=SECRET, params={"1": PERSON}),
]


@pytest.mark.parametrize("value", SPEAKING, ids=lambda value: type(value).__name__)
def test_no_repr_gives_anything_away(value: object) -> None:
    """Events, states, commands and rendered texts can be logged: no code, hash or destination."""
    assert SECRET not in repr(value)
    assert PERSON not in repr(value)


def test_a_verdict_never_sees_the_code() -> None:
    """A guess reaches the domain as right or wrong, without its characters."""
    facts = ["at", "pin_id", "matched", "guesses", "prefix"]

    assert facts == [each.name for each in attrs.fields(VerifyPin)]


def test_personal_and_secret_fields_are_marked() -> None:
    """Histories mask personal fields on request, and secret ones always."""
    assert ["destination", "reference_id", "context_ip", "context_user_agent", "locale"] == list(
        personal_fields(PinIssued)
    )
    assert ["code_hash"] == list(secret_fields(PinIssued))
    assert ["code_hash"] == list(secret_fields(PinResent))
    assert ["key_hash"] == list(secret_fields(ApiKeyCreated))


@given(events)
def test_events_are_values(event: Event) -> None:
    """Two events with the same facts are equal, and neither can be changed."""
    assert event == attrs.evolve(event)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        event.at = NOON  # type: ignore[misc]  # frozen: that is the test


@given(events)
def test_marked_fields_are_out_of_every_repr(event: Event) -> None:
    """The repr of an event omits every field that is marked as personal or secret."""
    for name in (*personal_fields(type(event)), *secret_fields(type(event))):
        assert f"{name}=" not in repr(event)


def test_every_event_has_a_generator() -> None:
    """Properties of events are tried on each kind that any decider knows."""
    assert set(EVENTS) == {kind for record in RECORDS for kind in record.decider.events}


@given(stories())
def test_every_event_is_understood(story: tuple[Event, ...]) -> None:
    """Exactly one decider knows an event, and the event leaves a trace in the state."""
    *first, event = story
    (decider,) = (each.decider for each in RECORDS if isinstance(event, each.decider.events))
    before = decider.fold([*first, *TAKEN_BACK.get(type(event), ())]) if first else None
    assert before != decider.fold([event], before)
