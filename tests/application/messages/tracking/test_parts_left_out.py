"""Parts of a provider's post that are not recorded are counted and logged (C-70, D-46)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.application.house import build_house
from tests.fakes.hearing import HearingProvider, about
from tests.fakes.signing import SECRET, SIGNATURE, inbound, letter, receipt, signature
from watchword.adapters.logging_observer import LoggingObserver
from watchword.adapters.meters import Meters
from watchword.application.ports.channels import Post
from watchword.domain.channel import Channel
from watchword.domain.receipt import ReceiptStatus

SENT = ReceiptStatus.SENT


async def test_parts_are_counted_by_their_reasons(caplog: pytest.LogCaptureFixture) -> None:
    """Two that cannot be read, one for nobody, and one that is recorded; no line quotes a part."""
    meters = Meters()
    house = await build_house(
        others={"courier": HearingProvider()}, observers=[meters, LoggingObserver()]
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
        about("C-9", receipt("p-2", SENT)),
        inbound("n-1", "+447700900123", "C-1", "CANARY"),
    )
    post = Post(headers={SIGNATURE: signature(body)}, body=body)
    await house.service.provider_webhooks.receive(account.id, post, "req_post")
    log = await house.store.read_log(0, 1000)
    lines: list[Any] = [record.msg for record in caplog.records]

    shown = meters.exposition().decode().splitlines()
    assert {
        'watchword_report_parts_left_out_total{reason="unreadable"} 2.0',
        'watchword_report_parts_left_out_total{reason="unaddressed"} 1.0',
    } == {each for each in shown if each.startswith("watchword_report_parts_left_out_total")}
    assert [("unreadable", 2), ("unaddressed", 1)] == [
        (each["reason"], each["parts"]) for each in lines if each["event"] == "report_left_out"
    ]
    assert "CANARY" not in caplog.text
    assert ["MessageReceived"] == [each.type for each in log if each.request_id == "req_post"]
