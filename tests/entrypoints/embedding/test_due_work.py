"""`service.run_due()`: the caller does the work that is due now, with or without a worker beside."""

from __future__ import annotations

import asyncio

import pytest

import watchword
from tests.entrypoints.receiving import Receiver
from tests.fakes.clocks import StillClock
from tests.fakes.providers import ScriptedProvider
from watchword.entrypoints.worker import run_due_to_the_end

SMS = {
    "sender": "Orchid",
    "recipient": "+447700900003",
    "type": "SI",
    "messageBody": "Tea at five.",
}
FALLBACK = {
    "fallback_id": "orchid",
    "fallback": True,
    "waittime": "60",
    "sms": {"sender": "Orchid", "type": "SI", "messageBody": "Tea at five, again."},
}


async def send_with_a_fallback(service: watchword.Service) -> None:
    """Send a message that falls back to another SMS after a minute."""
    account = await service.accounts.create("orchid")
    await service.channel_accounts.create(account, "sms", "phone", "sms", sender="Orchid")
    await service.fallback_configurations.create(account, "orchid", ["sms"])
    await service.messages.send(account, sms=[SMS], fallback=FALLBACK)


async def test_due_work_is_done_without_a_worker(store_url: str) -> None:
    """A fallback fires when it is asked for after its deadline, and the calls have ended by then."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open(
        store_url, channels={"phone": phone}, clock=clock, run_worker=False
    ) as service:
        await send_with_a_fallback(service)
        early = await service.run_due()
        texts_before = [each.text for each in phone.messages]
        clock.move(61)
        done = await service.run_due()
        again = await service.run_due()

    assert ["Tea at five."] == texts_before
    assert ["Tea at five.", "Tea at five, again."] == [each.text for each in phone.messages]
    assert done > 0
    assert (0, 0) == (again, early)


async def test_due_work_is_done_once_beside_a_worker(store_url: str) -> None:
    """The worker of the same process and three callers at once send the step one time."""
    phone, clock = ScriptedProvider(), StillClock()
    async with watchword.open(store_url, channels={"phone": phone}, clock=clock) as service:
        await send_with_a_fallback(service)
        clock.move(61)
        await asyncio.gather(*(service.run_due() for _ in range(3)))
        await service.run_due()
        async with asyncio.timeout(10):
            while len(phone.messages) < 2:  # noqa: ASYNC110  the worker may be the one who sends it
                await asyncio.sleep(0)

    assert ["Tea at five.", "Tea at five, again."] == [each.text for each in phone.messages]


class Pile:
    """Due work that is done one by one, and may fail at one of them."""

    kind = None

    def __init__(self, size: int, fails_at: int | None = None) -> None:
        self.left = size
        self._fails_at = fails_at

    async def run_due(self) -> int:
        """Do one."""
        if self.left == self._fails_at:
            raise LookupError(f"at {self.left}")
        if not self.left:
            return 0
        self.left -= 1
        return 1


async def test_what_fails_stops_nothing_else_and_is_raised_at_the_end() -> None:
    """The rest of its kind waits, the other kinds are done, and the caller gets the failure."""
    first, failing, last = Pile(2), Pile(3, fails_at=1), Pile(4)
    with pytest.raises(LookupError, match="at 1"):
        await run_due_to_the_end([first, failing, last], [])

    assert [0, 1, 0] == [each.left for each in (first, failing, last)]
    assert 3 == await run_due_to_the_end([Pile(2), Pile(1)], [])


async def test_callbacks_are_told_without_a_worker(receiver: Receiver) -> None:
    """The log is followed and the deliveries are attempted before the call returns."""
    async with watchword.open(
        "memory://", sandbox=True, allow_private_urls=True, run_worker=False
    ) as service:
        made = await service.callbacks.create("demo", receiver.url, events=["pin.issued"])
        issued = await service.pins.issue("demo", "tpl_demo", "+919812345610")
        done = await service.run_due()
        (came,) = await receiver.until(1)

    assert issued.pin_id == came.verified(made.secret)["data"]["pinId"]
    assert done > 0
