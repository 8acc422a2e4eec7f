"""A delivery and a deadline at the same moment: one of the two is decided, and never both (C-20)."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

from tests.application.house import House, build_house
from tests.application.post_office import WAIT, fallback, falls_back, message, send, work
from watchword.application.ports.channels import Message, ProviderReport
from watchword.domain.receipt import Receipt, ReceiptStatus

RUNS = 500
AROUND = 0.05
STEP = 0.005


async def deliver(house: House, sent: Message, number: int, turns: int) -> None:
    """Report a message as delivered, after some turns of the event loop."""
    for _ in range(turns):
        await asyncio.sleep(0)
    report = ProviderReport(
        provider_message_id=f"scripted-{number}",
        receipt=Receipt(status=ReceiptStatus.DELIVERED, reported_at=house.clock.now()),
    )
    await house.service.tracking_receipts.track(sent.channel_account_id, report)


async def test_a_run_stands_down_or_fires() -> None:
    """The first record decides, 50 ms before the deadline and 50 ms after it."""
    random = Random(4711)
    house = await build_house()
    await falls_back(house)
    entries = [message(recipient=f"+44770{number:06}9") for number in range(RUNS)]
    sent = await send(house, *entries, fallback=fallback())
    handed = list(enumerate(house.provider.messages, start=1))
    random.shuffle(handed)

    house.clock.move(WAIT - AROUND)
    moments = round(2 * AROUND / STEP) + 1
    for moment in range(moments):
        mine = handed[moment::moments]
        await asyncio.gather(
            work(house), *(deliver(house, each, n, random.randrange(40)) for n, each in mine)
        )
        house.clock.move(STEP)
    await work(house)

    ends = Counter(
        tuple(name for name in ("FallbackStoodDown", "FallbackFired") if name in story)
        for story in [await house.story(str(each.run_id)) for each in sent]
    )
    assert {("FallbackStoodDown",), ("FallbackFired",)} == ends.keys()
    assert RUNS == ends.total()
    assert RUNS + ends[("FallbackFired",)] == len(house.provider.messages)
