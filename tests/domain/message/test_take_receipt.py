"""Receipts and the ladder that they climb: C-22, C-50, C-64."""

from __future__ import annotations

import pytest
from hypothesis import given as over
from hypothesis import strategies as st

from tests.domain.message.story import (
    DELIVERED,
    FAILED,
    READ,
    SENT,
    dispatched,
    ended,
    hear,
    receipt,
    received,
    refused,
    reported,
    second,
    submitted,
)
from tests.specs import given, state_after
from watchword.domain.channel import OutcomeStatus
from watchword.domain.message import Ending, Happened, MessageStatus, climbed, take_receipt
from watchword.domain.receipt import ReceiptStatus

ON_ITS_WAY = (submitted(), dispatched(1))
LADDER = [
    MessageStatus.ACCEPTED,
    MessageStatus.SENT,
    MessageStatus.DELIVERED,
    MessageStatus.READ,
]
ENDS = [
    MessageStatus.FAILED,
    MessageStatus.REJECTED,
    MessageStatus.EXPIRED,
    MessageStatus.REVOKED,
]


@pytest.mark.parametrize("status", ReceiptStatus)
def test_a_receipt_is_recorded_and_moves_the_message(status: ReceiptStatus) -> None:
    """Each receipt of an accepted message leads to its own word."""
    told = receipt(status, 2, "absent" if status is FAILED else None)

    (
        given(*ON_ITS_WAY)
        .when(take_receipt, hear(3, told))
        .then(reported(3, told))
        .on_condition()
        .leaving(status=MessageStatus(status), updated_at=second(3))
    )


def test_the_history_shows_every_receipt_at_its_own_time() -> None:
    """`events: [{status, at, errorCode?}]`, in the order in which they came (C-23, D-35)."""
    message = state_after(
        *ON_ITS_WAY,
        reported(3, receipt(DELIVERED, 2.5)),
        reported(4, receipt(SENT, 2)),
        reported(5, receipt(FAILED, 4.5, "absent")),
    )

    assert (
        Happened(OutcomeStatus.ACCEPTED, second(1)),
        Happened(MessageStatus.DELIVERED, second(2.5)),
        Happened(MessageStatus.SENT, second(2)),
        Happened(MessageStatus.FAILED, second(4.5), "absent"),
    ) == message.history
    assert MessageStatus.DELIVERED == message.status


@pytest.mark.parametrize(
    ("first", "then"), [(DELIVERED, SENT), (READ, DELIVERED), (READ, SENT), (SENT, SENT)]
)
def test_a_lower_or_repeated_receipt_is_recorded_and_moves_nothing(
    first: ReceiptStatus, then: ReceiptStatus
) -> None:
    """The state never goes back (C-22)."""
    told = receipt(then, 4)

    (
        given(*ON_ITS_WAY, reported(3, receipt(first, 3)))
        .when(take_receipt, hear(5, told))
        .then(reported(5, told))
        .leaving(status=MessageStatus(first))
    )


def test_read_without_delivered_counts_as_delivery() -> None:
    """The message is read, and that is an arrival (C-50)."""
    assert MessageStatus.READ == climbed(MessageStatus.ACCEPTED, READ)
    assert [False, True, True, False] == [
        status.arrived for status in (SENT, DELIVERED, READ, FAILED)
    ]


@pytest.mark.parametrize("arrived", [DELIVERED, READ])
def test_a_failure_after_the_arrival_changes_nothing(arrived: ReceiptStatus) -> None:
    """FAILED after delivered or read is recorded and changes nothing (C-50)."""
    told = receipt(FAILED, 4, "absent")

    (
        given(*ON_ITS_WAY, reported(3, receipt(arrived, 3)))
        .when(take_receipt, hear(5, told))
        .then(reported(5, told))
        .leaving(status=MessageStatus(arrived))
    )


@pytest.mark.parametrize("status", Ending)
def test_an_ended_message_keeps_its_status_when_it_arrives_late(status: Ending) -> None:
    """Expired and revoked stay; the report is in the history (C-64)."""
    told = receipt(DELIVERED, 90)
    late = given(*ON_ITS_WAY, ended(60, status)).when(take_receipt, hear(91, told))

    late.then(reported(91, told)).leaving(status=MessageStatus(status))
    assert (
        Happened(MessageStatus.DELIVERED, second(90))
        == (state_after(*late.past, *late.decision().events).history[-1])
    )


@pytest.mark.parametrize("told", [DELIVERED, READ, SENT, FAILED])
def test_failed_and_rejected_are_ends(told: ReceiptStatus) -> None:
    """A late DELIVERED moves neither (C-64)."""
    failed = given(*ON_ITS_WAY, reported(3, receipt(FAILED, 3)))
    rejected = given(submitted(), dispatched(1, refused()))

    failed.when(take_receipt, hear(4, receipt(told, 4))).leaving(status=MessageStatus.FAILED)
    rejected.when(take_receipt, hear(4, receipt(told, 4))).leaving(status=MessageStatus.REJECTED)


def test_an_inbound_message_gets_no_receipts() -> None:
    """A message from a person has a status of its own."""
    given(received(0)).when(take_receipt, hear(1, receipt(READ, 1))).nothing()


@over(st.lists(st.sampled_from(ReceiptStatus)), st.sampled_from([*LADDER, *ENDS]))
def test_no_order_of_receipts_moves_a_message_back(
    receipts: list[ReceiptStatus], status: MessageStatus
) -> None:
    """Up the ladder or into the one end that receipts know; from an end nowhere."""
    for told in receipts:
        before, status = status, climbed(status, told)
        if before in ENDS:
            assert before == status
        elif status in LADDER:
            assert LADDER.index(before) <= LADDER.index(status)
        else:
            assert before.on_its_way
            assert MessageStatus.FAILED == status


def test_a_code_with_the_number_is_not_recorded() -> None:
    """A receipt's code that holds the recipient's number, or is a text, reads `provider_rejected` (C-100)."""
    number = state_after(*ON_ITS_WAY).recipient
    plain = receipt(FAILED, 2, "provider_rejected")
    for code in (f"barred_{number[1:]}", "no such subscriber"):
        told = receipt(FAILED, 2, code)

        given(*ON_ITS_WAY).when(take_receipt, hear(3, told)).then(reported(3, plain))
