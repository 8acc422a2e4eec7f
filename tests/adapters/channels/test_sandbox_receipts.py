"""Receipts that arrive by themselves: within a second, and without delaying sends (C-40, C-61)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from tests.fakes.clocks import StillClock
from tests.fakes.loops import SkippingLoop
from watchword.adapters.channels.sandbox import SandboxProvider
from watchword.adapters.channels.sandbox_receipts import PendingReceipts
from watchword.application.ports.channels import Accepted, ProviderReport, SentMessage
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import RevokeOutcome
from watchword.domain.receipt import ReceiptStatus
from watchword.testing import a_message

FAILS, ARRIVES = "+919812340002", "+919812340005"

MESSAGE = a_message()


class Desk:
    """Takes receipts down, with the second at which each came; may be slow, or out of order."""

    def __init__(self) -> None:
        self.provider = SandboxProvider(StillClock().now)
        self.provider.deliver_receipts_to(self.take)
        self.came: list[tuple[str, ProviderReport, float]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.refusing = False
        self._began = asyncio.get_running_loop().time()

    async def take(self, channel_account_id: str, report: ProviderReport) -> None:
        """Take one down."""
        await self.open.wait()
        if self.refusing:
            raise LookupError(f"cannot file {report.provider_message_id}")
        now = asyncio.get_running_loop().time() - self._began
        self.came.append((channel_account_id, report, now))

    async def send(self, destination: str, number: int = 1, channel: Channel = Channel.SMS) -> str:
        """Send a message, and return the provider's id."""
        message = replace(
            MESSAGE, destination=destination, reference=f"msg_{number}", channel=channel
        )
        taken = await self.provider.send({}, message)
        assert isinstance(taken, Accepted)
        return taken.provider_message_id

    def said(self) -> list[tuple[str | None, ReceiptStatus]]:
        """Return what came, by the provider's ids."""
        return [(report.provider_message_id, report.receipt.status) for _, report, _ in self.came]


def in_no_time(story: Callable[[Desk], Awaitable[None]]) -> None:
    """Tell a story on a loop that skips all waiting."""

    async def told() -> None:
        desk = Desk()
        await story(desk)
        await desk.provider.close()

        assert {asyncio.current_task()} == asyncio.all_tasks()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(told())


def test_a_receipt_comes_within_a_second() -> None:
    """FAILED with a reason for 0002, DELIVERED for 0005, nothing for other numbers."""

    async def story(desk: Desk) -> None:
        failed, arrived = await desk.send(FAILS, 1), await desk.send(ARRIVES, 2)
        await desk.send("+919812340003", 3)
        await desk.send("+919812340009", 4)
        before = desk.said()
        await asyncio.sleep(60)

        assert [] == before
        assert [(failed, "failed"), (arrived, "delivered")] == desk.said()
        assert ["sandbox_failed", None] == [each.receipt.error_code for _, each, _ in desk.came]
        assert all(0 < second < 1 for _, _, second in desk.came)
        assert {"cha_orchid"} == {account for account, _, _ in desk.came}

    in_no_time(story)


def test_a_channel_accounts_outcome_has_its_receipt_too() -> None:
    """`config.outcome` decides before the destination does (C-40)."""

    async def story(desk: Desk) -> None:
        await desk.provider.send({"outcome": "delivered"}, MESSAGE)
        await asyncio.sleep(1)

        assert ["delivered"] == [status for _, status in desk.said()]

    in_no_time(story)


def test_a_repeated_message_has_one_receipt() -> None:
    """It was taken once."""

    async def story(desk: Desk) -> None:
        await desk.send(ARRIVES)
        await desk.send(ARRIVES)
        await asyncio.sleep(1)

        assert 1 == len(desk.came)

    in_no_time(story)


def test_pending_receipts_can_be_delivered_at_once() -> None:
    """The call returns their number; none is delivered twice."""

    async def story(desk: Desk) -> None:
        for number in range(200):
            await desk.send(ARRIVES, number)
        came = await desk.provider.deliver_pending()
        at_once = len(desk.came)
        await asyncio.sleep(60)

        assert [200] * 3 == [came, at_once, len(desk.came)]
        assert 0 == await desk.provider.deliver_pending()

    in_no_time(story)


def test_delivery_waits_for_what_is_on_its_way() -> None:
    """A receipt whose timer has run out is delivered, even if it is not recorded yet."""

    async def story(desk: Desk) -> None:
        desk.open.clear()
        await desk.send(ARRIVES)
        await asyncio.sleep(60)
        delivering = asyncio.create_task(desk.provider.deliver_pending())
        await asyncio.sleep(60)
        waited = not delivering.done()
        desk.open.set()

        assert waited
        assert 1 == await delivering == len(desk.came)

    in_no_time(story)


def test_no_send_waits_for_a_receipt() -> None:
    """Slow recipients of receipts, and any number of pending ones, delay no send."""

    async def story(desk: Desk) -> None:
        desk.open.clear()
        await desk.send(ARRIVES, 1)
        await asyncio.sleep(60)
        async with asyncio.timeout(1):
            for number in range(2, 100):
                await desk.send(ARRIVES, number)

        assert [] == desk.came

    in_no_time(story)


def test_pending_receipts_are_bounded() -> None:
    """A send beyond the bound gets no receipt, and raises nothing."""

    async def story(_: Desk) -> None:
        pending, came = PendingReceipts(most=100), []

        async def come_in() -> None:
            came.append(1)

        for number in range(107):
            pending.add(f"sandbox_{number}", come_in)

        assert 100 == await pending.deliver_pending() == len(came)
        await pending.close()

    in_no_time(story)


def _sent(provider_message_id: str) -> SentMessage:
    return SentMessage(reference="", destination=ARRIVES, provider_message_id=provider_message_id)


def test_what_is_taken_back_does_not_arrive() -> None:
    """A revoked message gets no pending receipt; a delivered message cannot be revoked (D-44)."""

    async def story(desk: Desk) -> None:
        first = await desk.send(ARRIVES, 1, channel=Channel.RCS)
        revoked = await desk.provider.revoke({}, Channel.RCS, _sent(first))
        second = await desk.send(ARRIVES, 2, channel=Channel.RCS)
        await asyncio.sleep(1)

        assert RevokeOutcome.REVOKED == revoked
        assert RevokeOutcome.DELIVERED == await desk.provider.revoke({}, Channel.RCS, _sent(second))
        assert [(second, "delivered")] == desk.said()

    in_no_time(story)


def test_a_failed_message_can_be_taken_back() -> None:
    """Its recipient has not got it."""

    async def story(desk: Desk) -> None:
        failed = await desk.send(FAILS, channel=Channel.RCS)
        await desk.provider.deliver_pending()

        assert RevokeOutcome.REVOKED == await desk.provider.revoke({}, Channel.RCS, _sent(failed))

    in_no_time(story)


def test_a_receipt_that_nobody_could_take_down_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The line has the kind of the failure, not its text; later receipts are delivered."""

    async def story(desk: Desk) -> None:
        desk.refusing = True
        lost = await desk.send(ARRIVES, 1)
        await asyncio.sleep(1)
        desk.refusing = False
        kept = await desk.send(ARRIVES, 2)
        await asyncio.sleep(1)

        assert [(kept, "delivered")] == desk.said()
        assert lost not in caplog.text

    in_no_time(story)

    assert 1 == caplog.text.count("sandbox_receipt_lost")
    assert "LookupError" in caplog.text


def test_nothing_comes_after_the_close() -> None:
    """Pending receipts and those on their way are dropped; no task is left running."""

    async def story(desk: Desk) -> None:
        desk.open.clear()
        await desk.send(ARRIVES, 1)
        await asyncio.sleep(1)
        await desk.send(ARRIVES, 2)
        await desk.provider.close()
        desk.open.set()
        await asyncio.sleep(60)

        assert [] == desk.came

    in_no_time(story)


def test_receipts_that_go_nowhere_are_lost() -> None:
    """A provider without a listener has no pending receipts."""

    async def story(desk: Desk) -> None:
        alone = SandboxProvider(StillClock().now)
        await alone.send({}, replace(MESSAGE, destination=ARRIVES))
        await alone.deliver_pending()
        await alone.close()

        assert [] == desk.came

    in_no_time(story)
