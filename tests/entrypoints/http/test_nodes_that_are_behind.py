"""A state that one node remembers and another has changed: no answer relies on it (D-118)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve

from tests.entrypoints.caller import UNHURRIED, Caller
from tests.entrypoints.conftest import listening
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("postgresql",)


@pytest.fixture
async def nodes(service: Wired, settings: Settings) -> AsyncIterator[tuple[Caller, Caller]]:
    """Yield a client of each of two nodes on one database, with one template."""
    async with listening(service) as one, wired(settings) as other, listening(other) as two:
        here = await one.with_template(pinAttempts=3, resendCooldown="0s", **UNHURRIED)
        yield here, evolve(here, endpoint=two.endpoint)


async def test_a_template_that_was_enabled_elsewhere(nodes: tuple[Caller, Caller]) -> None:
    """A node that knows a template as disabled asks the store before it refuses."""
    here, there = nodes
    template = f"/pin-templates/{here.template}"
    await here.operated("POST", f"{template}/disable")
    assert (409, "template_disabled") == (await here.create()).refusal
    await there.operated("POST", f"{template}/enable")

    assert 201 == (await here.create()).status


async def test_a_template_that_was_disabled_elsewhere(nodes: tuple[Caller, Caller]) -> None:
    """A node that knows a template as enabled sends nothing under it any more."""
    here, there = nodes
    await here.created()
    await there.operated("POST", f"/pin-templates/{here.template}/disable")

    assert (409, "template_disabled") == (await here.create()).refusal
    assert 1 == len(await here.outbox())


async def test_a_limit_that_was_raised_elsewhere(nodes: tuple[Caller, Caller]) -> None:
    """No call is limited by a former version of its template."""
    here, there = nodes
    template = f"/pin-templates/{here.template}"
    await here.operated("PATCH", template, {"sendPinPerPhoneNumberLimit": "1/1d"})
    await here.created()
    await there.operated("PATCH", template, {"sendPinPerPhoneNumberLimit": "2/1d"})

    assert 201 == (await here.create()).status
    assert (429, "rate_limited") == (await here.create()).refusal


async def test_a_pin_that_was_guessed_elsewhere(nodes: tuple[Caller, Caller]) -> None:
    """Guesses count, whichever node they came to, and the right one comes too late after them."""
    here, there = nodes
    pin_id = await here.created()
    wrong = await here.wrong_code()
    replies = [await node.verify(pin_id, wrong) for node in (there, here, there, here)]

    assert [2, 1, 0] == [each.error["details"]["attemptsRemaining"] for each in replies[:3]]
    assert (409, "pin_blocked") == replies[3].refusal
    assert (409, "pin_blocked") == (await there.verify(pin_id, await here.code())).refusal


async def test_a_pin_that_was_sent_again_elsewhere(nodes: tuple[Caller, Caller]) -> None:
    """The code of the newest send is right on every node, and no older one."""
    here, there = nodes
    pin_id = await here.created()
    old = await here.code()
    assert 200 == (await there.resend(pin_id)).status
    new = await there.code()

    assert old == new or (422, "pin_incorrect") == (await here.verify(pin_id, old)).refusal
    assert 200 == (await here.verify(pin_id, new)).status
    assert (409, "pin_already_verified") == (await there.verify(pin_id, new)).refusal
