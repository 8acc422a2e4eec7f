"""Parts of a provider's post that are not recorded are counted and logged (C-70, D-46)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.application.house import build_house
from tests.fakes.hearing import HearingProvider, about
from tests.fakes.signing import SECRET, SIGNATURE, inbound, letter, receipt, signature
from watchword.adapters.logging_observer import LoggingObserver
from watchword.adapters.meters import Meters
from watchword.application.ports.channels import Post, ProviderReport
from watchword.domain.channel import Channel
from watchword.domain.receipt import Receipt, ReceiptStatus

SENT = ReceiptStatus.SENT


async def test_parts_are_counted_by_their_reasons(caplog: pytest.LogCaptureFixture) -> None:
    """Two that cannot be read, three for nobody, and one that is recorded; a line for each reason."""
    meters = Meters()
    house = await build_house(
        others={"courier": HearingProvider()}, provider_observers=[meters, LoggingObserver()]
    )
    account = await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="courier",
        name="courier",
        config={"secret": SECRET, "phone": "C-1"},
    )
    body = letter(
        {"parcel": "p-1"},
        {"is": "opened"},
        *(about(f"C-{number}", receipt("p-2", SENT)) for number in (7, 8, 9)),
        inbound("n-1", "+447700900123", "C-1", "CANARY"),
    )
    post = Post(headers={SIGNATURE: signature(body)}, body=body)
    await house.service.provider_webhooks.receive(account.id, post, "req_post")
    log = await house.store.read_log(0, 1000)
    lines: list[Any] = [record.msg for record in caplog.records]

    shown = meters.exposition().decode().splitlines()
    assert {
        'watchword_report_parts_left_out_total{reason="unreadable"} 2.0',
        'watchword_report_parts_left_out_total{reason="unaddressed"} 3.0',
    } == {each for each in shown if each.startswith("watchword_report_parts_left_out_total")}
    assert [("unreadable", 2), ("unaddressed", 3)] == [
        (each["reason"], each["parts"]) for each in lines if each["event"] == "report_left_out"
    ]
    assert "CANARY" not in caplog.text
    assert ["MessageReceived"] == [each.type for each in log if each.request_id == "req_post"]


@pytest.mark.parametrize("receipt_alone", [True, False])
def test_a_report_has_a_time_with_a_zone(receipt_alone: bool) -> None:
    """Nobody could tell when it was, and an audit would read another history than the store has."""
    at = datetime(2031, 5, 4, 12)  # noqa: DTZ001  it is the mistake
    ids = {"provider_message_id": "p-1"} if receipt_alone else {"reference": "msg_tea"}

    with pytest.raises(ValueError, match="no time zone"):
        ProviderReport(receipt=Receipt(status=SENT, reported_at=at), **ids)  # type: ignore[arg-type]  # mypy takes them for all members


async def test_a_part_whose_time_has_no_zone_is_unreadable_and_alone() -> None:
    """The other parts of its post are recorded, and the provider's post is acknowledged."""
    meters = Meters()
    house = await build_house(others={"courier": HearingProvider()}, provider_observers=[meters])
    account = await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="courier",
        name="courier",
        config={"secret": SECRET, "phone": "C-1"},
    )
    body = letter(
        receipt("p-1", SENT) | {"at": "2031-05-04T12:00:00"},
        inbound("n-1", "+447700900123", "C-1", "tea"),
    )
    post = Post(headers={SIGNATURE: signature(body)}, body=body)
    heard = await house.service.provider_webhooks.receive(account.id, post, "req_post")
    log = await house.store.read_log(0, 1000)

    assert 1 == heard.unreadable
    assert 'parts_left_out_total{reason="unreadable"} 1.0' in meters.exposition().decode()
    assert ["MessageReceived"] == [each.type for each in log if each.request_id == "req_post"]
