"""An Idempotency-Key is a lease: a process that lost it saves nothing and answers nothing (C-10)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.application.house import build_house, claim
from tests.fakes.providers import HesitantProvider
from watchword.application.errors import UnavailableError
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.ports.event_store import KeyAnswered


async def test_who_lost_the_lease_is_told_503() -> None:
    """Another request took the key meanwhile: its answer is the one that is saved."""
    provider = HesitantProvider()
    house = await build_house(provider)
    slow = asyncio.create_task(house.issue("tea", owner="slow"))
    await provider.asked.wait()
    provider.asked.clear()
    house.machine_seconds.forward(30)
    quick = asyncio.create_task(house.issue("tea", owner="quick"))
    await provider.asked.wait()
    provider.may_answer.set()
    with pytest.raises(UnavailableError):
        await slow
    sent = await quick
    with pytest.raises(KeyAnswered) as replay:
        await house.issue("tea", owner="third")

    assert repr(sent).encode() == replay.value.answer
    assert 2 == len(house.provider.messages)


async def test_what_should_not_have_happened_is_saved_too() -> None:
    """After dispatch began, an unexpected error is the answer, now and on a replay."""

    def present(result: Any) -> bytes:
        if isinstance(result, LookupError):
            return b"500"
        raise LookupError("no words for this")

    house = await build_house()
    request = IssueRequest(destination="+919812345611", template_id=house.template_id)
    with pytest.raises(LookupError):
        await house.service.issuing.issue(house.by, request, claim("tea", "one", present))
    with pytest.raises(KeyAnswered) as replay:
        await house.service.issuing.issue(house.by, request, claim("tea", "two", present))

    assert b"500" == replay.value.answer
    assert 1 == len(house.provider.messages)
