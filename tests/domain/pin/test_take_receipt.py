"""Receipts of a PIN's codes: recorded on its stream, without moving it (C-23)."""

import attrs
import pytest

from tests.domain.pin.story import (
    DELIVERED,
    DESTINATION,
    FAILED,
    PARKED,
    READ,
    SENT,
    blocked,
    dispatched,
    expired,
    hear,
    issued,
    known_as,
    known_by_its_id,
    owns_live_code,
    receipt,
    recording,
    refused,
    reported,
    resent,
    superseded,
    took,
    verified,
)
from tests.specs import given, state_after
from watchword.application.records import held_by
from watchword.domain.channel import Channel
from watchword.domain.event import Event
from watchword.domain.pin import EarlyReceipts, record_dispatch, take_receipt
from watchword.domain.receipt import ReceiptStatus

WITHOUT_ID = took(Channel.SMS, None)


@pytest.mark.parametrize("status", ReceiptStatus)
def test_a_receipt_is_recorded_and_moves_nothing(status: ReceiptStatus) -> None:
    """The PIN keeps its status, its attempts and its expiry after any receipt."""
    told = receipt(status, 3, "absent" if status is FAILED else None)
    before = state_after(issued(), dispatched(1))

    (
        given(issued(), dispatched(1))
        .when(take_receipt, hear(4, told))
        .then(reported(4, told))
        .on_condition()
        .leaving(
            life=before.life,
            attempts_remaining=before.attempts_remaining,
            expires_at=before.expires_at,
            receipts={Channel.SMS: told},
        )
    )


@pytest.mark.parametrize(
    "end",
    [verified(2), blocked(2), expired(600), superseded(2)],
    ids=lambda end: type(end).__name__,
)
def test_a_receipt_is_recorded_whatever_became_of_the_pin(end: Event) -> None:
    """An end is the PIN's, not its message's."""
    told = receipt(DELIVERED, 3)

    (
        given(issued(), dispatched(1), end)
        .when(take_receipt, hear(700, told))
        .then(reported(700, told))
        .leaving(life=state_after(issued(), dispatched(1), end).life)
    )


def test_a_receipt_names_its_channel() -> None:
    """Each channel's provider knows the code by an id of its own."""
    told = receipt(DELIVERED, 3)

    (
        given(issued(), dispatched(1, took(), took(Channel.EMAIL)))
        .when(take_receipt, hear(4, told, known_as(Channel.EMAIL)))
        .then(reported(4, told, channel=Channel.EMAIL))
        .leaving(receipts={Channel.EMAIL: told})
    )


def test_a_receipt_of_an_older_code_is_recorded_under_its_number() -> None:
    """It does not change the shown status, which is the newest code's."""
    second_code = took(Channel.SMS, "provider-43")
    told = receipt(DELIVERED, 33)
    sent = given(issued(), dispatched(1), resent(30), dispatched(31, second_code, issue=2))

    sent.when(take_receipt, hear(34, told)).then(reported(34, told, issue=1)).leaving(receipts={})
    (
        sent.when(take_receipt, hear(34, told, known_as(Channel.SMS, "provider-43")))
        .then(reported(34, told, issue=2))
        .leaving(receipts={Channel.SMS: told})
    )


def test_a_new_code_starts_without_receipts() -> None:
    """Earlier receipts concern the code before it."""
    arrived = reported(2, receipt(DELIVERED, 2))

    assert {} == state_after(issued(), dispatched(1), arrived, resent(30)).receipts


@pytest.mark.parametrize(
    ("first", "then", "shown"),
    [
        (SENT, DELIVERED, DELIVERED),
        (DELIVERED, SENT, DELIVERED),
        (SENT, READ, READ),
        (DELIVERED, FAILED, DELIVERED),
        (SENT, FAILED, FAILED),
        (FAILED, DELIVERED, FAILED),
    ],
)
def test_receipts_are_shown_as_the_ladder_has_them(
    first: ReceiptStatus, then: ReceiptStatus, shown: ReceiptStatus
) -> None:
    """A lower receipt is recorded and does not take the place of a higher one (C-22)."""
    told = {first: receipt(first, 2), then: receipt(then, 3)}

    (
        given(issued(), dispatched(1), reported(2, told[first]))
        .when(take_receipt, hear(3, told[then]))
        .then(reported(3, told[then]))
        .leaving(receipts={Channel.SMS: told[shown]})
    )


def test_a_repeated_receipt_leaves_the_first() -> None:
    """It was delivered when it was first said to be."""
    first, again = receipt(DELIVERED, 2), receipt(DELIVERED, 9)

    (
        given(issued(), dispatched(1), reported(2, first))
        .when(take_receipt, hear(9, again))
        .then(reported(9, again))
        .leaving(receipts={Channel.SMS: first})
    )


def test_an_id_that_the_pin_does_not_hold_reports_nothing() -> None:
    """The id belongs to another holder."""
    told = receipt(SENT, 2)

    given(issued(), dispatched(1, WITHOUT_ID)).when(take_receipt, hear(3, told)).nothing()


def test_receipts_that_came_first_are_recorded_with_the_outcome() -> None:
    """The parked receipts of the id are removed, and each is recorded once (C-22)."""
    sent, delivered = receipt(SENT, 0), receipt(DELIVERED, 1)
    early = EarlyReceipts(known_as(), PARKED, (sent, delivered))

    (
        given(issued())
        .when(record_dispatch, recording(2, early=(early,)))
        .then(dispatched(2), reported(2, sent), reported(2, delivered))
        .on_condition(owns_live_code(), known_by_its_id(PARKED))
        .leaving(receipts={Channel.SMS: delivered})
    )


def test_early_receipts_go_to_the_channel_that_they_are_about() -> None:
    """The other channel takes its own id, and retires no holder for it."""
    told = receipt(SENT, 0)
    early = EarlyReceipts(known_as(Channel.EMAIL), PARKED, (told,))
    outcomes = (took(), took(Channel.EMAIL))

    (
        given(issued())
        .when(record_dispatch, recording(2, *outcomes, early=(early,)))
        .then(dispatched(2, *outcomes), reported(2, told, channel=Channel.EMAIL))
        .on_condition(
            owns_live_code(), known_by_its_id(), known_by_its_id(PARKED, channel=Channel.EMAIL)
        )
    )


def test_a_code_without_an_id_claims_none() -> None:
    """Without an id, or with one that another holds, there are no receipts (D-37)."""
    (
        given(issued())
        .when(record_dispatch, recording(1, WITHOUT_ID))
        .on_condition(owns_live_code())
        .leaving(outcomes=(WITHOUT_ID,))
    )


def test_an_id_that_comes_twice_stays_with_the_first_code() -> None:
    """Two codes of one PIN under one id: the receipts are the first one's (D-37)."""
    told = receipt(DELIVERED, 40)
    twice = given(issued(), dispatched(1), resent(30), dispatched(31, took(), issue=2))

    twice.when(take_receipt, hear(40, told)).then(reported(40, told, issue=1))


def test_a_pin_holds_the_ids_of_all_its_codes_for_good() -> None:
    """A late receipt finds it in any status."""
    second_code = attrs.evolve(took(Channel.EMAIL), provider_message_id="provider-43")
    both = {known_as(), known_as(Channel.EMAIL, "provider-43")}
    past = (issued(), dispatched(1), resent(30), dispatched(31, second_code, issue=2))

    assert both < held_by(state_after(*past))
    assert frozenset(both) == held_by(state_after(*past, verified(32, issue=2)))
    assert frozenset() == held_by(state_after(issued(), dispatched(1, refused())))


def test_a_code_with_the_number_is_not_recorded() -> None:
    """A receipt's code that holds the PIN's number, or is a text, reads `provider_rejected` (C-100)."""
    plain = receipt(FAILED, 3, "provider_rejected")
    for code in (f"barred_{DESTINATION[1:]}", "no such subscriber"):
        told = receipt(FAILED, 3, code)

        given(issued(), dispatched(1)).when(take_receipt, hear(4, told)).then(reported(4, plain))
