"""A test waits for the receipt of its message, on whichever node that arrives (C-67)."""

from __future__ import annotations

import asyncio

import pytest

from tests.application.channel_tests.benches import (
    TO,
    bench,
    details,
    steps,
)
from tests.application.house import node_on
from tests.application.provider_calls.lines import skipping
from tests.application.receipts import DELIVERED, FAILED, NOON, SENT, report
from watchword.application.channel_tests import awaiting_receipts
from watchword.application.channel_tests.views import (
    ChannelTestRequest,
    ChannelTestView,
    StepResult,
)
from watchword.application.ports.channels import (
    Accepted,
    Message,
    ProviderReport,
    Unknown,
)
from watchword.domain.receipt import Receipt, ReceiptStatus


@pytest.mark.parametrize(
    ("status", "step", "said"),
    [
        (DELIVERED, "ok", "delivered"),
        (FAILED, "failed", "failed: absent"),
    ],
)
@pytest.mark.parametrize("named", ["id", "reference"])
async def test_the_receipt_is_found_by_id_and_by_reference(
    status: ReceiptStatus, step: str, said: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may come before the answer, and on another node: it waits in the store."""
    monkeypatch.setattr(awaiting_receipts, "PAUSE", 0)
    there = await bench()

    async def reporting(message: Message) -> Accepted:
        receipt = Receipt(status=status, error_code="absent", reported_at=NOON)
        told = (
            ProviderReport(provider_message_id="p-1", receipt=receipt)
            if named == "id"
            else ProviderReport(reference=message.reference, receipt=receipt)
        )
        elsewhere = node_on(there.house).service
        await elsewhere.recording_reports.record(there.account.id, [told], "req_post")
        return Accepted("p-1")

    there.house.provider.script = reporting
    test = await there.run(wait_seconds=60)

    assert ("receipt", step) == steps(test)[3]
    assert said == details(test)[3]
    assert "accepted" == test.outcome


async def test_a_receipt_is_awaited_while_the_message_is_on_its_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that says `sent` decides nothing yet."""
    monkeypatch.setattr(awaiting_receipts, "PAUSE", 0)
    there = await bench()
    test: list[StepResult | ChannelTestView] = []
    asked = ChannelTestRequest(to=TO, wait_seconds=60)
    running = await there.house.service.channel_tests.begin(there.house.by, there.account.id, asked)

    sent = asyncio.Event()

    async def read() -> None:
        async for each in running:
            test.append(each)
            if len(test) == 3:
                sent.set()

    reading = asyncio.ensure_future(read())
    await sent.wait()
    await there.report(report(SENT, "scripted-1"))
    await there.report(report(DELIVERED, "scripted-1"))
    await reading
    (whole,) = [each for each in test if isinstance(each, ChannelTestView)]

    assert ("receipt", "ok") == steps(whole)[3]


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([], "none within 60 s; the service knows no callback URL: start it with --public-url"),
        ([SENT], "sent, and nothing more within 60 s"),
    ],
    ids=["silence", "on its way"],
)
def test_no_receipt_in_time_is_unknown(reports: list[ReceiptStatus], said: str) -> None:
    """The outcome stays that of the send."""

    async def story() -> None:
        there = await bench()
        for status in reports:
            await there.report(report(status, "scripted-1"))
        test = await there.run(wait_seconds=60)

        assert ("receipt", "unknown", said) == (*steps(test)[3], details(test)[3])
        assert "accepted" == test.outcome

    skipping(story())


async def test_an_unknown_send_waits_for_its_receipt_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference finds it although nobody knows the provider's id."""
    monkeypatch.setattr(awaiting_receipts, "PAUSE", 0)
    there = await bench()

    async def cut(message: Message) -> Unknown:
        told = ProviderReport(
            provider_message_id="p-1",
            reference=message.reference,
            receipt=Receipt(status=DELIVERED, reported_at=NOON),
        )
        await there.report(told)
        return Unknown()

    there.house.provider.script = cut
    test = await there.run(wait_seconds=60)

    assert [("send", "unknown"), ("receipt", "ok")] == steps(test)[2:]
    assert "unknown" == test.outcome
