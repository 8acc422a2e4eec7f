"""One account fills all that it can get, and another is served at once (C-94)."""

from __future__ import annotations

import asyncio

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import SMS
from tests.fakes.providers import HesitantProvider
from watchword.application.provider_calls import MAX_IN_FLIGHT, MOST_SENDS

STORES = ("memory",)
# Each call has 64 sends under way at once, and its channel account no more either.
CALLS, RECIPIENTS = 25, 64
# Of all places an account has three quarters at most.
ITS_MOST = MOST_SENDS * 3 // 4


async def test_an_account_whose_provider_hangs_keeps_no_other_from_sending(
    serving: Serving,
) -> None:
    """Though its own sends hold all that they may, a neighbour's PIN and message go out at once."""
    slow = HesitantProvider(asked_by=ITS_MOST)
    async with serving(providers={"slow": slow}) as caller:
        neighbour = await caller.neighbour()
        senders = [await with_sender(caller, number) for number in range(CALLS)]
        flood = [asyncio.create_task(flooding(caller, sender)) for sender in senders]
        await slow.asked.wait()
        async with asyncio.timeout(1):
            created = await neighbour.create()
            sent = await neighbour.sent(sms=[SMS])
        slow.may_answer.set()
        answers = await asyncio.gather(*flood)

    assert ITS_MOST > MAX_IN_FLIGHT
    assert 201 == created.status
    assert ["accepted"] == [each["status"] for each in sent["data"]]
    assert [status for each in answers for status in each].count("accepted") >= ITS_MOST


async def with_sender(caller: Caller, number: int) -> str:
    """Set up a channel account with a slow provider, and return its sender."""
    sender = f"SLOW{number:02}"
    body = {"name": sender, "sender": sender, "channelType": "sms", "provider": "slow"}
    await caller.operated("POST", "/channel-accounts", body)
    return sender


async def flooding(caller: Caller, sender: str) -> list[str]:
    """Send as many messages as a channel account has under way at once."""
    sms = [
        {**SMS, "sender": sender, "recipient": f"+4477009{number:05}"}
        for number in range(RECIPIENTS)
    ]
    sent = await caller.sent(sms=sms)
    return [each["status"] for each in sent["data"]]
