"""Ending a PIN because its person was erased (C-74)."""

import attrs
import pytest

from tests.domain.pin.story import (
    ask_for_resend,
    blocked,
    dispatched,
    erased,
    expired,
    forget_the_guest,
    gives_up_live_code,
    issued,
    recording,
    refused,
    resent,
    right_guess,
    superseded,
    verified,
)
from tests.specs import given, state_after
from watchword.domain.event import ERASED, Event
from watchword.domain.pin import (
    Erased,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinStatus,
    erase,
    record_dispatch,
    require_resendable,
    resend,
    supersede,
    verify,
)
from watchword.domain.pin.commands import SupersedePin

FAILED = dispatched(1, refused())


@pytest.mark.parametrize(
    "past",
    [(), (dispatched(1),), (dispatched(1), resent(30)), (expired(600),)],
    ids=["in flight", "pending", "resent", "expired"],
)
def test_a_pin_that_could_be_live_again_ends(past: tuple[Event, ...]) -> None:
    """A PIN that can be verified or resent ends, and releases its live code."""
    (
        given(issued(), *past)
        .when(erase, forget_the_guest(700))
        .then(erased(700))
        .on_condition(gives_up_live_code())
        .leaving(life=Erased())
    )


@pytest.mark.parametrize("end", [superseded(1), FAILED], ids=["superseded", "dispatch failed"])
def test_what_holds_no_live_code_ends_too(end: Event) -> None:
    """A superseded PIN and one that was never sent end, so that no late outcome revives them."""
    given(issued(), end).when(erase, forget_the_guest(2)).then(erased(2)).on_condition()


@pytest.mark.parametrize("end", [verified(1), blocked(1), erased(1)])
def test_a_final_pin_stays_as_it_is(end: Event) -> None:
    """A PIN that was verified, blocked or erased before does not change."""
    given(issued(), end).when(erase, forget_the_guest(2)).nothing()


@pytest.mark.parametrize("before", [dispatched(1), superseded(1), FAILED, expired(600)])
def test_nothing_of_an_erased_pin_is_verified_or_resent(before: Event) -> None:
    """The right code and a resend are refused with `pin_expired`, and the reason "erased"."""
    story = given(issued(), before, erased(700))

    for refusal in (
        story.when(verify, right_guess(701)).refuses(PinExpiredError),
        story.when(resend, ask_for_resend(701)).refuses(PinExpiredError),
    ):
        assert {"reason": "erased"} == refusal.details


def test_final_pins_refuse_as_before() -> None:
    """A verified and a blocked PIN of an erased person answer as they did before the erasure."""
    given(issued(), verified(1)).when(verify, right_guess(2)).refuses(PinAlreadyVerifiedError)
    given(issued(), blocked(1)).when(resend, ask_for_resend(40)).refuses(PinBlockedError)


def test_a_person_whose_key_is_gone_is_sent_nothing() -> None:
    """A resend between the loss of the key and the end of the PIN is refused as after the end."""
    nameless = attrs.evolve(issued(), destination=ERASED)

    with pytest.raises(PinExpiredError) as refusal:
        require_resendable(state_after(nameless, dispatched(1)))

    assert {"reason": "erased"} == refusal.value.details


def test_a_resend_before_an_erasure_is_repeated_after_it() -> None:
    """An audit decides again on a state whose destination is gone, and comes to the same event."""
    nameless = attrs.evolve(issued(), destination=ERASED)

    given(nameless, dispatched(1)).when(resend, ask_for_resend(40)).then(resent(40))


def test_a_late_outcome_revives_nothing() -> None:
    """The outcome of a dispatch in flight is recorded, and the PIN neither lives nor holds its code."""
    (
        given(issued(), erased(1))
        .when(record_dispatch, recording(2, refused()))
        .then(dispatched(2, refused()))
        .on_condition()
        .leaving(life=Erased())
    )


def test_no_later_pin_supersedes_it() -> None:
    """A later PIN for the same number belongs to a new person, and leaves an erased PIN alone."""
    given(issued(), erased(1)).when(
        supersede, SupersedePin(at=erased(2).at, by="pin-later")
    ).nothing()


def test_readers_see_an_expired_pin() -> None:
    """The status of an erased PIN is EXPIRED, because the statuses of C-13 are final."""
    assert PinStatus.EXPIRED is Erased().status
