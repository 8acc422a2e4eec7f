"""End a live code before its time, after a restore (D-64)."""

import pytest

from tests.domain.pin.story import (
    ask_for_resend,
    blocked,
    dispatched,
    expired,
    failed,
    issued,
    refused,
    resent,
    right_guess,
    second,
    superseded,
    verified,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.pin import (
    Expired,
    ExpirePin,
    PinExpiredError,
    expire,
    resend,
    verify,
)


@pytest.mark.parametrize(
    ("past", "issue"),
    [
        ((issued(),), 1),
        ((issued(), dispatched(1)), 1),
        ((issued(), dispatched(1), failed(2, left=2)), 1),
        ((issued(), dispatched(1), expired(600), resent(700)), 2),
    ],
    ids=["in flight", "sent", "guessed at", "resent"],
)
def test_a_live_code_expires_before_its_time(past: tuple[Event, ...], issue: int) -> None:
    """It expires at any stage, with any time left."""
    (
        given(*past)
        .when(expire, ExpirePin(at=second(701)))
        .then(expired(701, issue))
        .on_condition()
        .leaving(life=Expired())
    )


@pytest.mark.parametrize(
    "end",
    [verified(1), blocked(1), expired(600), superseded(1), dispatched(1, refused())],
    ids=["verified", "blocked", "expired", "superseded", "dispatch failed"],
)
def test_what_is_over_stays_as_it_is(end: Event) -> None:
    """There is no live code to end."""
    given(issued(), end).when(expire, ExpirePin(at=second(602))).nothing()


def test_the_right_code_verifies_no_more() -> None:
    """It reads as expired while its time to live still runs."""
    given(issued(), dispatched(1), expired(5)).when(verify, right_guess(6)).refuses(PinExpiredError)


def test_a_resend_brings_the_pin_back() -> None:
    """The new code goes to the holder of the destination."""
    (given(issued(), dispatched(1), expired(5)).when(resend, ask_for_resend(31)).then(resent(31)))
