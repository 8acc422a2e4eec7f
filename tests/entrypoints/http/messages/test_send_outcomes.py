"""B1: how a send ends that its provider, or the store, does not take (C-18, C-40, C-61)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from attrs import frozen

from tests.application.house import House, build_house
from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import Serving, listening
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, SMS
from watchword.application.ports.channels import Accepted, Message
from watchword.application.ports.event_store import StoreUnavailable

REJECTING, SILENT = "+4915112340001", "+4915112340004"
CHANNELS = ["sms", "wa", "rcs"]


def to(recipient: str, channel: str) -> dict[str, Any]:
    """Write a send of one message."""
    if channel == "wa":
        return {"wa": [{**DEMO_WA, "recipient": [recipient]}]}
    return {channel: [{**(SMS if channel == "sms" else DEMO_RCS), "recipient": recipient}]}


@pytest.mark.parametrize("channel", CHANNELS)
async def test_a_rejecting_number(caller: Caller, channel: str) -> None:
    """`0001`: rejected in the answer and from then on, and nothing in the outbox (C-40, C-61)."""
    (told,) = (await caller.sent(**to(REJECTING, channel)))["data"]
    standing = await caller.standing(told["messageId"])

    assert ("rejected", "sandbox_rejected") == (told["status"], told["errorCode"])
    assert ("rejected", ["rejected"]) == (
        standing["status"],
        [each["status"] for each in standing["events"]],
    )
    assert [] == await caller.outbox()


@pytest.mark.parametrize("channel", CHANNELS)
async def test_silence_counts_as_rejected(serving: Serving, channel: str) -> None:
    """`0004`: `provider_timeout` in the answer, an unknown outcome in the history (C-40)."""
    async with serving(provider_timeout=0.05) as caller:
        (told,) = (await caller.sent(**to(SILENT, channel)))["data"]
        (entry,) = await caller.history()

        assert ("rejected", "provider_timeout") == (told["status"], told["errorCode"])
        assert told["messageId"] == entry["messageId"]
        assert [("unknown", "provider_timeout")] == [
            (each["status"], each["errorCode"]) for each in entry["events"]
        ]
        assert [] == await caller.outbox()


@frozen
class Troubled:
    """A service whose store a test can trouble, and a client with a key of its account."""

    house: House
    caller: Caller

    async def send(self, once: str | None = None) -> Reply:
        """Send a message."""
        return await self.caller.send(sms=[SMS], once=once)


@pytest.fixture
async def troubled() -> AsyncIterator[Troubled]:
    """Serve a house, and yield a client that has not called yet."""
    house = await build_house()
    made = await house.service.api_keys.create(house.by, "web")
    async with listening(house.service) as caller:
        yield Troubled(house, caller.using(made.key))


def unavailable(reply: Reply) -> None:
    """Expect a 503 in the messaging form that says when to try again."""
    assert (503, "unavailable") == reply.refusal
    assert ("error", []) == (reply.json["status"], reply.json["errors"])
    assert "1" == reply.headers["Retry-After"]


async def test_a_store_out_of_reach_is_503(troubled: Troubled) -> None:
    """Nothing is sent, and the same send is taken when the store is back (C-18)."""
    troubled.house.store.reachable = False
    unavailable(await troubled.send("tea"))
    assert [] == troubled.house.provider.messages

    troubled.house.store.reachable = True

    assert 200 == (await troubled.send("tea")).status


async def test_a_store_that_goes_before_the_send_is_taken_in_is_503(troubled: Troubled) -> None:
    """The key was found, but a send that is not recorded is not sent."""

    async def vanish() -> None:
        raise StoreUnavailable("The store is out of reach.")

    await troubled.send()
    troubled.house.store.meanwhile = vanish
    unavailable(await troubled.send())

    assert 1 == len(troubled.house.provider.messages)


async def test_an_outcome_that_cannot_be_recorded_is_503(troubled: Troubled) -> None:
    """The message was sent, but `accepted` would claim a stored outcome."""

    async def accept_and_vanish(message: Message) -> Accepted:
        troubled.house.store.reachable = False
        return Accepted("taken")

    troubled.house.provider.script = accept_and_vanish
    unavailable(await troubled.send())

    assert 1 == len(troubled.house.provider.messages)


async def test_an_unexpected_error_after_the_dispatch_is_saved(troubled: Troubled) -> None:
    """500 internal_error in the messaging form, on a replay too: nothing is sent twice (C-10)."""

    async def break_down() -> None:
        raise RuntimeError("This is a bug of ours.")

    async def accept_and_break(message: Message) -> Accepted:
        troubled.house.store.meanwhile = break_down
        return Accepted("taken")

    troubled.house.provider.script = accept_and_break
    first = await troubled.send("tea")
    again = await troubled.send("tea")

    assert (500, "internal_error") == first.refusal
    assert "error" == first.json["status"]
    assert (first.status, first.body) == (again.status, again.body)
    assert 1 == len(troubled.house.provider.messages)
