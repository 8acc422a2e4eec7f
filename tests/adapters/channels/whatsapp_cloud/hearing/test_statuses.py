"""Statuses as receipts."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from pywa.types.message_status import MessageStatus

from tests.adapters.channels.whatsapp_cloud.hearing.hearing import (
    AT,
    NOW,
    THEIRS,
    hearing,
)
from tests.adapters.channels.whatsapp_cloud.hearing.metas_posts import (
    failure,
    status,
    statuses,
)
from watchword.application.ports.channels import (
    ProviderReport,
)
from watchword.domain.receipt import Receipt, ReceiptStatus


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("sent", ReceiptStatus.SENT),
        ("delivered", ReceiptStatus.DELIVERED),
        ("read", ReceiptStatus.READ),
        ("played", ReceiptStatus.READ),
    ],
)
async def test_a_status_is_a_receipt(word: str, expected: ReceiptStatus) -> None:
    """It has Meta's id, Meta's time and our reference; an independent library reads the same."""
    said = status(
        word=word,
        biz_opaque_callback_data="msg_orchid",
        conversation={"id": "7", "origin": {"type": "utility"}},
        pricing={"billable": True, "pricing_model": "PMP", "category": "utility"},
    )
    document: Any = statuses(said)
    theirs = MessageStatus.from_update(THEIRS, document)
    (report,) = (await hearing(document)).reports

    assert report == ProviderReport(
        provider_message_id="wamid.HBgL",
        reference="msg_orchid",
        receipt=Receipt(status=expected, reported_at=AT),
    )
    assert (theirs.id, theirs.tracker, theirs.timestamp) == ("wamid.HBgL", "msg_orchid", AT)
    assert word == theirs.status.value


async def test_a_failure_has_its_number_and_none_of_its_words() -> None:
    """The words may quote the message; the number is in the vendor's documents."""
    document: Any = statuses(status(word="failed", **failure(131026)))
    theirs = MessageStatus.from_update(THEIRS, document)
    (report,) = (await hearing(document)).reports

    assert isinstance(report, ProviderReport)
    assert (
        Receipt(status=ReceiptStatus.FAILED, error_code="131026", reported_at=AT) == report.receipt
    )
    assert theirs.error is not None
    assert 131026 == theirs.error.code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({}, None),
        ({"errors": []}, None),
        ({"errors": [{"title": "Undeliverable"}]}, None),
        ({"errors": [{"code": "131026"}]}, "131026"),
        ({"errors": [{"code": "your code is 4711"}]}, None),
        ({"errors": [{"code": 10**30}]}, None),
    ],
    ids=["none", "empty", "words alone", "text", "sentence", "no code"],
)
async def test_a_failure_without_a_code_is_a_failure(
    more: dict[str, Any], code: str | None
) -> None:
    """What is no code is left out, and the receipt counts."""
    (report,) = (await hearing(statuses(status(word="failed", **more)))).reports

    assert isinstance(report, ProviderReport)
    assert (ReceiptStatus.FAILED, code) == (report.receipt.status, report.receipt.error_code)


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("1749416383", AT),
        (1749416383, AT),
        (None, NOW),
        ("0", NOW),
        (str(int((NOW + timedelta(hours=23)).timestamp())), NOW + timedelta(hours=23)),
        (str(int((NOW + timedelta(hours=25)).timestamp())), NOW),
    ],
    ids=["text", "number", "none", "1970", "a clock ahead", "tomorrow"],
)
async def test_a_time_that_cannot_be_right_is_that_of_the_arrival(said: Any, at: datetime) -> None:
    """A receipt is not lost to a clock that is wrong, on either side."""
    (report,) = (await hearing(statuses(status(at=said)))).reports

    assert isinstance(report, ProviderReport)
    assert at == report.receipt.reported_at


@pytest.mark.parametrize(
    "broken",
    [
        status(at="soon"),
        status(at="-1"),
        status(at="9" * 12),
        status(at="9" * 5_000),
        status(at="\u0667"),
        status(at=["1749416383"]),
        status(word="pondered"),
        status(word=["sent"]),
        status(""),
        status("wamid\n7"),
        status("w" * 257),
        {"status": "sent", "timestamp": "1749416383"},
        None,
        7,
        [],
    ],
    ids=repr,
)
async def test_a_status_of_another_shape_is_counted_and_the_others_are_read(broken: Any) -> None:
    """Meta would repeat the whole post for seven days (D-280)."""
    answer = await hearing(statuses(status("wamid.1"), broken, status("wamid.2")))

    found = [
        each.provider_message_id for each in answer.reports if isinstance(each, ProviderReport)
    ]
    assert ["wamid.1", "wamid.2"] == found
    assert 1 == answer.unreadable


@pytest.mark.parametrize("reference", ["", "r" * 257, "a\nb", None])
async def test_what_another_system_noted_is_no_reference(reference: str | None) -> None:
    """The phone may be used by others, who note what they like; Meta's id is enough."""
    (report,) = (await hearing(statuses(status(biz_opaque_callback_data=reference)))).reports

    assert isinstance(report, ProviderReport)
    assert ("wamid.HBgL", None) == (report.provider_message_id, report.reference)
