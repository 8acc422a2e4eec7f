"""Sends that race an opt-out, on one node and two: the log has one order, and keeps it (D-72)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.messaging.sends import DEMO_WA, RECIPIENT
from tests.entrypoints.nodes import spread
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("sqlite", "postgresql")


@pytest.fixture
async def caller(service: Wired, settings: Settings, store_kind: str) -> AsyncIterator[Caller]:
    """Race on one node with a file, and on two with a database."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(listening(service))
        if store_kind == "sqlite":
            yield one
            return
        other = await stack.enter_async_context(wired(settings))
        yield spread(one, await stack.enter_async_context(listening(other)))


async def change(caller: Caller, method: str) -> None:
    """Put the recipient on the opt-out list, or take it off."""
    headers = {"apikey": str(caller.key)}
    body = {"recipients": [RECIPIENT]}
    reply = await caller.using(None).ask(method, "/opt/out/wa", body, headers=headers)
    assert 200 == reply.status, reply.body


async def send(caller: Caller) -> dict[str, Any]:
    """Send one message to the recipient."""
    return dict((await caller.sent(wa=[DEMO_WA]))["data"][0])


async def test_no_send_is_accepted_after_an_opt_out(caller: Caller) -> None:
    """A send after its 200 is refused, and the log accepts no message after the opt-out."""
    refused = []
    for _ in range(5):
        racing = [asyncio.create_task(send(caller)) for _ in range(8)]
        await change(caller, "POST")
        refused.append(await send(caller))
        await asyncio.gather(*racing)
        await change(caller, "DELETE")
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    out = False
    accepted: list[str] = []
    rejected: list[str] = []
    for event in log:
        if event["type"] == "RecipientOptedOut":
            out = True
        elif event["type"] == "RecipientUnlisted":
            out = False
        elif event["type"] == "MessageSubmitted":
            (rejected if out else accepted).append(event["streamId"])
    codes = {
        event["streamId"]: event["data"]["outcome"].get("errorCode")
        for event in log
        if event["type"] == "MessageDispatched"
    }

    assert {"recipient_opted_out"} == {each["errorCode"] for each in refused}
    assert {"recipient_opted_out"} == {codes[each] for each in rejected}
    assert {None} >= {codes[each] for each in accepted}
    assert 45 == len(accepted) + len(rejected)
