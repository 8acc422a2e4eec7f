"""Hear of a receipt: C-20, C-50, C-65, D-36."""

import pytest

from tests.domain.fallback_run.story import (
    BY_FAILURE,
    DELIVERED,
    FAILED,
    FIRST,
    PLACES,
    PRIMARY,
    READ,
    SECOND,
    SENT,
    hear,
    stood_down,
    triggered,
)
from tests.specs import given
from watchword.domain.event import Event
from watchword.domain.fallback_run import RunStatus, StoodDown, Triggered, take_receipt
from watchword.domain.receipt import ReceiptStatus


@pytest.mark.parametrize("status", [DELIVERED, READ])
def test_a_delivery_stands_the_run_down(status: ReceiptStatus) -> None:
    """It goes straight to `FallbackStoodDown` (C-65); READ counts as delivery (C-50)."""
    (
        given(*PLACES["waiting"])
        .when(take_receipt, hear(5, status))
        .then(stood_down(5))
        .on_condition()
        .leaving(life=StoodDown(1), status=RunStatus.STOOD_DOWN, over=True, needs_seal=False)
    )


def test_a_failure_fires_at_once() -> None:
    """There is nothing to end: the step may be sent right away (C-20)."""
    (
        given(*PLACES["waiting"])
        .when(take_receipt, hear(5, FAILED))
        .then(triggered(5, BY_FAILURE))
        .leaving(life=Triggered(1, BY_FAILURE, ended=True))
    )


@pytest.mark.parametrize("place", PLACES)
def test_sent_is_neither_delivery_nor_failure(place: str) -> None:
    """Anything else decides nothing, wherever the run stands."""
    for message_id in (PRIMARY, FIRST, SECOND):
        given(*PLACES[place]).when(take_receipt, hear(99, SENT, message_id)).nothing()


@pytest.mark.parametrize("status", [DELIVERED, READ])
def test_a_delivery_after_the_deadline_still_stands_the_run_down(status: ReceiptStatus) -> None:
    """Until the attempt has been ended, one message is enough for the recipient (C-20, D-36)."""
    (
        given(*PLACES["triggered by deadline"])
        .when(take_receipt, hear(60.5, status))
        .then(stood_down(60.5))
        .leaving(status=RunStatus.STOOD_DOWN)
    )


@pytest.mark.parametrize("status", [DELIVERED, READ, FAILED])
@pytest.mark.parametrize("place", ["ended", "triggered by failure", "stood down", "rejected"])
def test_a_receipt_that_comes_later_changes_nothing_that_was_decided(
    place: str, status: ReceiptStatus
) -> None:
    """Once the attempt is over, its receipts are the message's own affair (C-20, C-64)."""
    given(*PLACES[place]).when(take_receipt, hear(99, status)).nothing()


def test_a_failure_after_the_deadline_triggers_nothing_twice() -> None:
    """The race is decided once; the revoke's answer is still to come."""
    given(*PLACES["triggered by deadline"]).when(take_receipt, hear(60.5, FAILED)).nothing()


@pytest.mark.parametrize("status", [DELIVERED, READ])
@pytest.mark.parametrize("place", ["fired", "waiting again"])
def test_an_older_attempt_that_arrived_after_all_spares_the_next_step(
    place: str, status: ReceiptStatus
) -> None:
    """The recipient has a message, and needs no other (SPEC 3, C-20)."""
    (
        given(*PLACES[place])
        .when(take_receipt, hear(99, status, PRIMARY))
        .then(stood_down(99, step=2))
        .leaving(life=StoodDown(2), status=RunStatus.FIRED, over=True)
    )


@pytest.mark.parametrize("status", [DELIVERED, READ, FAILED])
def test_an_older_attempt_changes_nothing_that_was_decided(status: ReceiptStatus) -> None:
    """The next step's turn has come already (C-20)."""
    given(*PLACES["triggered again"]).when(take_receipt, hear(99, status, PRIMARY)).nothing()


@pytest.mark.parametrize("place", ["fired", "waiting again"])
def test_the_failure_of_an_older_attempt_is_no_news(place: str) -> None:
    """A step has taken its place."""
    given(*PLACES[place]).when(take_receipt, hear(99, FAILED, PRIMARY)).nothing()


@pytest.mark.parametrize("place", ["fired", "waiting again"])
def test_the_delivery_of_a_step_ends_the_run_as_fired(place: str) -> None:
    """The second step stands down; the receipt may be faster than the recorded outcome."""
    (
        given(*PLACES[place])
        .when(take_receipt, hear(70, DELIVERED, FIRST))
        .then(stood_down(70, step=2))
        .leaving(life=StoodDown(2), status=RunStatus.FIRED, over=True)
    )


@pytest.mark.parametrize("place", ["fired", "waiting again"])
def test_the_failure_of_a_step_triggers_the_next_at_once(place: str) -> None:
    """The same way for every step (C-50)."""
    (
        given(*PLACES[place])
        .when(take_receipt, hear(70, FAILED, FIRST))
        .then(triggered(70, BY_FAILURE, step=2))
        .leaving(life=Triggered(2, BY_FAILURE, ended=True))
    )


@pytest.mark.parametrize("status", ReceiptStatus)
def test_receipts_of_the_last_step_are_its_own_affair(status: ReceiptStatus) -> None:
    """The run has decided all that there was."""
    past: tuple[Event, ...] = PLACES["fired for good"]

    given(*past).when(take_receipt, hear(99, status, FIRST)).nothing()
    given(*past[:-1]).when(take_receipt, hear(99, status, FIRST)).nothing()
