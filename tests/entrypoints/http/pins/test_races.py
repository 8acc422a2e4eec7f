"""Concurrent requests over HTTP: exact results, on one node and two (C-10, C-14, C-15, C-16)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import AsyncExitStack

import pytest

from tests.entrypoints.caller import DESTINATION, UNHURRIED, Caller, Reply
from tests.entrypoints.conftest import listening
from tests.entrypoints.nodes import spread
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

WIDE = {**UNHURRIED, "sendPinPerPhoneNumberLimit": "1000/1d", "resendCooldown": "30s"}


STORES = ("sqlite", "postgresql", "two nodes")


@pytest.fixture
async def caller(service: Wired, settings: Settings, store_kind: str) -> AsyncIterator[Caller]:
    """Race on the durable stores, and against two nodes on one of them."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(listening(service))
        if store_kind != "two nodes":
            yield one
            return
        other = await stack.enter_async_context(wired(settings))
        two = await stack.enter_async_context(listening(other))
        yield spread(one, two)


async def at_once(calls: Iterable[Awaitable[Reply]]) -> list[Reply]:
    """Make all calls in parallel."""
    return await asyncio.gather(*calls)


def outcomes(replies: Iterable[Reply]) -> Counter[object]:
    """Count the statuses, and the codes of refusals."""
    return Counter(each.status if each.status < 300 else each.refusal for each in replies)


async def test_200_wrong_guesses_at_three_attempts(caller: Caller) -> None:
    """Exactly three 422 with 2, 1, 0 remaining and 197 409; the right code is too late (C-14)."""
    tea = await caller.with_template(pinAttempts=3, **WIDE)
    pin_id = await tea.created()
    wrong = await tea.wrong_code()
    replies = await at_once(tea.verify(pin_id, wrong) for _ in range(200))
    left = [each.error["details"]["attemptsRemaining"] for each in replies if each.status == 422]

    assert {(422, "pin_incorrect"): 3, (409, "pin_blocked"): 197} == outcomes(replies)
    assert [2, 1, 0] == sorted(left, reverse=True)
    assert (409, "pin_blocked") == (await tea.verify(pin_id, await tea.code())).refusal
    assert [*["VerifyFailed"] * 3, "PinBlocked"] == (await tea.story(pin_id))[2:]


async def test_100_right_guesses(caller: Caller) -> None:
    """A code succeeds once: one 200 and 99 409."""
    tea = await caller.with_template(**WIDE)
    pin_id = await tea.created()
    right = await tea.code()
    replies = await at_once(tea.verify(pin_id, right) for _ in range(100))

    assert {200: 1, (409, "pin_already_verified"): 99} == outcomes(replies)
    assert ["PinVerified"] == (await tea.story(pin_id))[2:]


async def test_right_and_wrong_guesses_at_once(caller: Caller) -> None:
    """In any order: at most one success, and never more guesses than allowed."""
    tea = await caller.with_template(pinAttempts=3, **WIDE)
    pin_id = await tea.created()
    right, wrong = await tea.code(), await tea.wrong_code()
    guesses = [wrong, wrong, right, wrong, wrong] * 10
    replies = await at_once(tea.verify(pin_id, each) for each in guesses)
    judged = (await tea.story(pin_id))[2:]

    assert judged.count("VerifyFailed") <= 3
    assert 1 == judged.count("PinVerified") + judged.count("PinBlocked")
    assert judged[-1] in ("PinVerified", "PinBlocked")
    assert judged.count("PinVerified") == outcomes(replies)[200]
    assert judged.count("VerifyFailed") == outcomes(replies)[422, "pin_incorrect"]


async def test_50_resends(caller: Caller) -> None:
    """1 success and 1 dispatch; the other 49 meet the cooldown."""
    tea = await caller.with_template(**WIDE)
    pin_id = await tea.created()
    await tea.advance(30)
    replies = await at_once(tea.resend(pin_id) for _ in range(50))

    assert {200: 1, (429, "resend_cooldown"): 49} == outcomes(replies)
    assert 2 == len(await tea.outbox())


async def test_50_creates_with_one_key(caller: Caller) -> None:
    """1 dispatch; the others get 409, or the first answer byte for byte."""
    tea = await caller.with_template(**WIDE)
    replies = await at_once(tea.create(once="tea") for _ in range(50))
    (answer,) = {each.body for each in replies if each.status == 201}
    later = [await tea.create(once="tea") for _ in range(3)]

    assert 1 == len(await tea.outbox())
    assert {201, (409, "idempotency_in_progress")} >= outcomes(replies).keys()
    assert 1 == sum(
        each.status == 201 and "Idempotent-Replayed" not in each.headers for each in replies
    )
    assert {(201, answer)} == {(each.status, each.body) for each in later}


async def test_50_resends_with_one_key(caller: Caller) -> None:
    """The same holds for a resend: never a cooldown that its own original began."""
    tea = await caller.with_template(**WIDE)
    pin_id = await tea.created()
    await tea.advance(30)
    replies = await at_once(tea.resend(pin_id, once="tea") for _ in range(50))

    assert {200, (409, "idempotency_in_progress")} >= outcomes(replies).keys()
    assert 1 == len({each.body for each in replies if each.status == 200})
    assert 2 == len(await tea.outbox())


async def test_200_creates_under_a_template_limit_of_37(caller: Caller) -> None:
    """Exactly 37 are sent (C-16)."""
    tea = await caller.with_template(sendPinPerTemplateLimit="37/1d", **UNHURRIED)
    replies = await at_once(tea.create(f"+9198{number:08}9") for number in range(200))

    assert {201: 37, (429, "rate_limited"): 163} == outcomes(replies)
    assert 37 == len(await tea.outbox())


async def test_200_creates_to_one_number_in_many_spellings(caller: Caller) -> None:
    """Exactly 37 are sent, in any spelling of the number (C-16, C-28)."""
    tea = await caller.with_template(sendPinPerPhoneNumberLimit="37/1d", **UNHURRIED)
    spellings = ["+919812345619", "+91 9812345619", "0091-98123-45619", "(91) 9812.345619"]
    replies = await at_once(tea.create(each) for each in spellings * 50)

    assert {201: 37, (429, "rate_limited"): 163} == outcomes(replies)
    assert 37 == len(await tea.outbox())


async def test_20_creates_leave_one_live_code(caller: Caller) -> None:
    """The acceptance that commits last owns the one live code; all others are superseded (C-15)."""
    tea = await caller.with_template(pinLength=10, pinAttempts=100, **WIDE)
    replies = await at_once(tea.create() for _ in range(20))
    pins = [each.json["pinId"] for each in replies]
    log = (await tea.operated("GET", "/events?limit=1000"))["data"]
    last = [each["streamId"] for each in log if each["type"] == "PinDispatched"][-1]
    codes = await tea.codes()
    tries = {
        pin_id: outcomes(await at_once(tea.verify(pin_id, code) for code in codes))
        for pin_id in pins
        if pin_id != last
    }
    winners = outcomes([await tea.verify(last, code) for code in codes])

    assert {201: 20} == outcomes(replies)
    assert [{(410, "pin_expired"): 20}] * 19 == list(tries.values())
    assert 1 == winners[200]
    assert DESTINATION == (await tea.events(last))[0]["data"]["destination"]
