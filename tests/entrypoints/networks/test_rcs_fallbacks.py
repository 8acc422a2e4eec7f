"""Fallback from RCS to SMS over real adapters: a revoke at the deadline, then the SMS (C-20)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.adapters.channels.rcs_business.google import WITHOUT_RCS
from tests.entrypoints.conftest import Serving
from tests.entrypoints.networks.rbm import OFF, Plan
from tests.entrypoints.networks.rcs_houses import PROVIDER_TIMEOUT, RcsHouse, phone_of, rcs_house

STORES = ("sqlite",)
WAIT = 60
PHONE = phone_of(7)


async def standing(house: RcsHouse, told: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the statuses of a message, and the names of the events of its run."""
    entry = told["data"][0]
    said = await house.caller.standing(entry["messageId"])
    return [x["status"] for x in said["events"]], await house.caller.story(entry["fallbackRunId"])


async def test_a_phone_that_is_off_gets_the_sms_alone(serving: Serving) -> None:
    """At the deadline, and not before, Google is asked to revoke, and the SMS follows."""
    async with rcs_house(serving, lambda _: OFF) as house:
        told = await house.send(PHONE, wait=WAIT)
        await house.caller.advance(WAIT - 1)
        early = len(house.rbm.revokes)
        await house.caller.advance(1)
        statuses, story = await standing(house, told)

        assert 0 == early
        assert [house.rbm.newest] == house.rbm.revokes
        assert {house.rbm.newest} == house.rbm.google.revoked
        assert ["sms"] == house.phones.shown(PHONE)
        assert ["accepted", "revoked"] == statuses
        assert [
            "FallbackArmed",
            "FallbackTriggered",
            "AttemptEnded",
            "FallbackFired",
            "FallbackDispatched",
        ] == story


async def test_a_revoke_that_finds_the_message_delivered_stands_down(serving: Serving) -> None:
    """Google's report is late, and its answer to the revoke says that the phone has the message."""
    async with rcs_house(serving, lambda _: Plan(after=0.0, told_after=0.5)) as house:
        told = await house.send(PHONE, wait=WAIT)
        house.rbm.deliver_at(PHONE, asyncio.get_running_loop().time())
        await house.phones.until_shown(PHONE)
        await house.caller.advance(WAIT)
        await house.rbm.settled()
        statuses, story = await standing(house, told)

        assert 1 == len(house.rbm.revokes)
        assert ["rcs"] == house.phones.shown(PHONE)
        assert "delivered" in statuses
        assert ["AttemptEnded", "FallbackStoodDown"] == story[-2:]


async def test_a_number_without_rcs_gets_the_sms_at_once(serving: Serving) -> None:
    """Google refuses the recipient; nobody waits for the deadline."""
    phone = PHONE[:-4] + WITHOUT_RCS
    async with rcs_house(serving, lambda _: OFF) as house:
        told = await house.send(phone, wait=WAIT)
        await house.phones.until_shown(phone)
        (entry,) = told["data"]

        assert ("rejected", "rcs_not_found") == (entry["status"], entry["errorCode"])
        assert ["sms"] == house.phones.shown(phone)
        assert [] == house.rbm.revokes


async def test_a_lost_answer_is_asked_for_again_and_one_message_is_sent(serving: Serving) -> None:
    """The second request has the same id, which Google ignores (C-68)."""
    async with rcs_house(serving, lambda _: Plan(lost=1)) as house:
        told = await house.send(PHONE, wait=WAIT)
        statuses, _ = await standing(house, told)

        assert {house.rbm.newest: 2} == house.rbm.sends
        assert 1 == len(house.rbm.google.taken)
        assert ["accepted"] == statuses


@pytest.mark.parametrize(
    ("plan", "shown"),
    [
        (Plan(lost=2), ["sms"]),
        (Plan(lost=2, after=0.0, told_after=0.5), ["rcs", "sms"]),
    ],
    ids=["still queued", "arrived"],
)
async def test_an_unknown_message_is_revoked_by_our_reference(
    serving: Serving, plan: Plan, shown: list[str]
) -> None:
    """
    Nobody knows whether Google has it, so the run waits for its deadline and then asks.

    What is not in Google's queue may never have been there: the SMS goes out, and the history says that
    the first message was unknown and not revoked. Its receipt explains it.
    """
    async with rcs_house(serving, lambda _: plan) as house:
        told = await house.send(PHONE, wait=WAIT)
        early = house.phones.shown(PHONE)
        house.rbm.deliver_at(PHONE, asyncio.get_running_loop().time())
        if plan.after is not None:
            await house.phones.until_shown(PHONE)
        await house.caller.advance(WAIT)
        await house.rbm.settled()
        statuses, story = await standing(house, told)

        assert [] == early
        assert [house.rbm.newest] == house.rbm.revokes
        assert shown == house.phones.shown(PHONE)
        assert "FallbackDispatched" == story[-1]
        assert ("unknown", "rcs" in shown) == (statuses[0], "delivered" in statuses)


async def test_a_receipt_explains_a_message_whose_answer_came_too_late(serving: Serving) -> None:
    """The service ended the send at its time-out; the id that the receipt names is made of our reference."""
    plan = Plan(sent_after=2.0, after=0.0)
    async with rcs_house(serving, lambda _: plan, provider_timeout=1.0) as house:
        told = await house.send(PHONE, wait=WAIT)
        house.rbm.deliver_at(PHONE, asyncio.get_running_loop().time())
        await house.rbm.settled()
        statuses, story = await standing(house, told)

        assert "provider_timeout" == told["data"][0]["errorCode"]
        assert ["unknown", "delivered"] == statuses
        assert "FallbackStoodDown" == story[-1]


async def test_a_revoke_without_an_answer_lets_the_sms_go(serving: Serving) -> None:
    """After the provider time-out the message counts as not revoked; here it was, so one arrives."""
    async with rcs_house(serving, lambda _: Plan(revoked_after=2 * PROVIDER_TIMEOUT)) as house:
        told = await house.send(PHONE, wait=WAIT)
        await house.caller.advance(WAIT)
        statuses, _ = await standing(house, told)
        events = await house.caller.events(told["data"][0]["fallbackRunId"])

        assert ["sms"] == house.phones.shown(PHONE)
        assert ["accepted", "expired"] == statuses
        assert ["not_revoked"] == [
            x["data"]["outcome"] for x in events if x["type"] == "AttemptEnded"
        ]
