"""Breakers and failover in logs and metrics (C-68, C-69)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.application.house import POLICY, build_house
from tests.application.provider_calls.lines import lines, skipping
from watchword.adapters.logging_observer import LoggingObserver
from watchword.adapters.meters import Meters
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.pins.template_channels import ChannelEntry
from watchword.application.ports.channels import Fault, Message, Rejected, Unknown
from watchword.domain.accounts.channel_account import ChannelLimits
from watchword.domain.channel import Channel
from watchword.domain.pin import DispatchFailedError

AWAY = Rejected("vendor_away", "No connection.", Fault.AWAY)


def samples(meters: Meters, name: str) -> dict[str, float]:
    """Return the samples of a metric, by their labels."""
    lines = meters.exposition().decode().splitlines()
    found = (each.rsplit(" ", 1) for each in lines if each.startswith(f"{name}{{"))
    return {labels.removeprefix(name): float(value) for labels, value in found}


def test_each_turn_of_a_breaker_is_one_line_and_one_count(caplog: pytest.LogCaptureFixture) -> None:
    """It opens, a probe fails, and the next one closes it; sends in between are not logged."""
    meters = Meters()

    async def story() -> str:
        asked = await lines(observers=[LoggingObserver(), meters], scripts={"a": [AWAY] * 6})
        meters.watch_sends(lambda: asked.calls.load)
        before: dict[str, float] = {}
        for pause in (0, 0, 0, 0, 0, 0, 5, 10):
            await asyncio.sleep(pause)
            before = samples(meters, "watchword_breakers")
            await asked.send()
        assert {'{state="open"}': 1, '{state="half_open"}': 0} == before
        return asked.ids["a"]

    account = skipping(story())
    said: list[Any] = [record.msg for record in caplog.records]

    assert [
        {"event": "breaker_opened", "channel_account": account, "seconds": 5},
        {"event": "breaker_opened", "channel_account": account, "seconds": 10},
        {"event": "breaker_closed", "channel_account": account},
    ] == said
    assert {'{state="open"}': 2, '{state="closed"}': 1} == samples(
        meters, "watchword_breaker_turns_total"
    )
    assert {'{state="open"}': 0, '{state="half_open"}': 0} == samples(meters, "watchword_breakers")


def test_sends_under_way_and_waiting_are_gauges() -> None:
    """An operator sees a provider that hangs before its time-outs."""
    meters = Meters()

    async def story() -> None:
        asked = await lines(limits=ChannelLimits(concurrency=2), scripts={"a": [None] * 2})
        meters.watch_sends(lambda: asked.calls.load)
        sends = [asyncio.create_task(asked.send()) for _ in range(5)]
        await asyncio.sleep(1)
        seen = samples(meters, "watchword_provider_sends")
        await asyncio.gather(*sends)

        assert {'{state="under_way"}': 2, '{state="waiting"}': 3} == seen

    skipping(story())


async def test_what_failed_over_is_counted_by_its_outcome() -> None:
    """An unknown attempt may cost a second message; the dispatch itself is counted once."""
    meters = Meters()
    house = await build_house(observers=[meters])
    service = house.service
    spare = await service.channel_accounts.create(
        house.by, channel_type="sms", provider="scripted", name="spare", config={}
    )
    first = await service.channel_accounts.create(
        house.by,
        channel_type="sms",
        provider="scripted",
        name="first",
        config={},
        failover=(spare.id,),
        limits=ChannelLimits(),
    )

    async def answer(message: Message) -> Rejected | Unknown:
        return AWAY if message.channel_account_id == first.id else Unknown()

    house.provider.script = answer
    template = await service.pin_templates.create(
        house.by,
        name="first",
        policy=POLICY,
        channels=[ChannelEntry(channel_type=Channel.SMS, channel_account_id=first.id)],
    )
    with pytest.raises(DispatchFailedError):
        await service.issuing.issue(
            house.by, IssueRequest(destination="+919812345610", template_id=template.id)
        )

    assert {'{channel="sms",outcome="rejected"}': 1} == samples(meters, "watchword_failovers_total")
    assert {'{channel="sms",outcome="unknown"}': 1} == samples(meters, "watchword_dispatches_total")
