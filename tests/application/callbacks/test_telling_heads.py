"""Signed heads are told to the endpoints of operators, each head once (C-105, D-464)."""

from __future__ import annotations

import asyncio
import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.application.callbacks.conftest import URL, work
from tests.application.house import House, build_house, node_on
from watchword.application.callbacks.telling_heads import FOLLOWER
from watchword.application.callbacks.views import CallbackView
from watchword.application.caller import Caller
from watchword.application.paging import Paging
from watchword.application.ports.sealed_log import Head
from watchword.domain.accounts.api_key import ForbiddenError
from watchword.domain.callback_endpoint import OPERATORS
from watchword.domain.errors import ValidationFailedError

NOON = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
THE_OPERATOR = Caller(OPERATORS, "admin", "req_1")


async def told(house: House, url: str = URL, **options: Any) -> CallbackView:
    """Make an endpoint of operators."""
    events = options.pop("events", ["log.*"])
    return await house.service.callbacks.create(THE_OPERATOR, url=url, events=events, **options)


async def sign(house: House, size: int) -> Head:
    """Keep a head of so many events, as the sealer does."""
    at = NOON + timedelta(seconds=size)
    head = Head("watchword-tea/1", size, bytes([size]) * 32, at, f"the note of {size}\n")
    assert await house.service.journal.sealed_log.keep_head(head)
    return head


async def test_a_head_is_told_once() -> None:
    """The body has the documented form, and the signed note to keep; a second round tells nothing."""
    house = await build_house()
    endpoint = await told(house)
    await sign(house, 200)
    await work(house)
    await work(house)
    bodies = [json.loads(each.body) for each in house.web.posted]
    listed = await house.service.callbacks.deliveries(
        THE_OPERATOR, endpoint.id, Paging(page_size=100)
    )

    assert [
        {
            "type": "log.head",
            "timestamp": "2031-05-04T12:03:20.000Z",
            "data": {
                "origin": "watchword-tea/1",
                "size": 200,
                "root": base64.b64encode(bytes([200]) * 32).decode(),
                "at": "2031-05-04T12:03:20.000Z",
                "note": "the note of 200\n",
            },
        }
    ] == bodies
    assert endpoint.account_id is None
    assert [("log.head", "head_200", "delivered")] == [
        (each.type, each.event_id, each.status) for each in listed.data
    ]


async def test_heads_from_before_an_endpoint_are_not_told() -> None:
    """It is told of heads that cover its creation, in their order; a removed one is told of none."""
    house = await build_house()
    await sign(house, 1)
    first = await told(house)
    second = await told(house, "https://other.example/heads", events=["log.head"])
    await house.service.callbacks.remove(THE_OPERATOR, second.id)
    for size in (150, 250, 220):
        await sign(house, size)
    await work(house)

    assert [150, 220, 250] == sorted(
        json.loads(each.body)["data"]["size"] for each in house.web.posted
    )
    assert {first.url} == {each.url for each in house.web.posted}


async def test_without_an_endpoint_nothing_is_followed() -> None:
    """An account's endpoint hears of no head, even if it wants everything: a head tells others' volume."""
    house = await build_house()
    await house.service.callbacks.create(house.by, url=URL)
    await sign(house, 200)
    await work(house)

    assert 0 == await house.store.position(FOLLOWER)
    assert "log.head" not in [json.loads(each.body)["type"] for each in house.web.posted]


async def test_two_nodes_tell_a_head_once() -> None:
    """The size of the last head is moved in the append that makes the deliveries."""
    house = await build_house()
    await told(house)
    await sign(house, 200)
    await asyncio.gather(work(house), work(node_on(house)))

    assert [200] == [json.loads(each.body)["data"]["size"] for each in house.web.posted]


@pytest.mark.parametrize("events", [["*"], ["pin.*"], ["log.*", "pin.verified"], None, []])
async def test_operators_are_told_of_the_log_alone(events: list[str] | None) -> None:
    """Their endpoints belong to no account, so nothing that an account is told of goes there."""
    house = await build_house()
    with pytest.raises(ValidationFailedError):
        await told(house, events=events)


async def test_a_bound_caller_makes_no_endpoint_of_operators() -> None:
    """A head tells the volume of all accounts, so the use case itself refuses (D-464)."""
    house = await build_house()
    bound = Caller(OPERATORS, "tok_1", "req_1", bound_to=house.by.account_id)
    with pytest.raises(ForbiddenError):
        await house.service.callbacks.create(bound, url=URL, events=["log.*"])


@pytest.mark.parametrize("pattern", ["log.*", "log.head"])
async def test_accounts_cannot_ask_for_heads(pattern: str) -> None:
    """The refusal names the patterns that an account may have, and none of the log."""
    house = await build_house()
    with pytest.raises(ValidationFailedError) as refused:
        await house.service.callbacks.create(house.by, url=URL, events=["pin.*", pattern])

    assert ["events[1]"] == [each.path for each in refused.value.problems]
    assert "log." not in refused.value.problems[0].message.replace(pattern, "", 0)
