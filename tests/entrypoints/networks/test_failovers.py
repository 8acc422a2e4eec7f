"""Failover from an SMSC to an HTTP gateway, both real adapters (C-68, C-69)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from attrs import frozen

from tests.adapters.channels.smpp.smsc import Submit
from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.networks.accounts import account_of
from tests.entrypoints.networks.lines import SmppLine, smpp_line
from tests.entrypoints.networks.posting_lines import GatewayLine, gateway_line

STORES = ("sqlite",)
PERSON = "+4915112345610"
THROTTLED, WRONG_NUMBER = 0x58, 0x0B


@frozen
class Pair:
    """An SMSC, and the gateway that follows it."""

    caller: Caller
    smsc: SmppLine
    gateway: GatewayLine
    smpp_id: str
    http_id: str

    async def send(self) -> Any:
        """Send a message, and return its entry."""
        entry = {**SMS, "recipient": PERSON, "sender": self.smsc.sender}
        (told,) = (await self.caller.sent(sms=[entry]))["data"]
        return told

    def tried(self, code: str) -> list[dict[str, str]]:
        """Return the attempts, if the gateway took it after a code of the SMSC."""
        status = "unknown" if code.startswith("provider_") else "rejected"
        return [
            {"channelAccountId": self.smpp_id, "status": status, "code": code},
            {"channelAccountId": self.http_id, "status": "accepted"},
        ]


@asynccontextmanager
async def pair(serving: Serving) -> AsyncIterator[Pair]:
    """Serve with both."""
    async with smpp_line() as smsc, gateway_line() as gateway, serving() as caller:
        second = await account_of(caller, "sms", "http", gateway.config, "OTHER")
        first = await account_of(caller, "sms", "smpp", smsc.config, smsc.sender)
        patch = {"failover": [second.channel_account_id]}
        await caller.operated("PATCH", f"/channel-accounts/{first.channel_account_id}", patch)
        yield Pair(caller, smsc, gateway, first.channel_account_id, second.channel_account_id)


def refuse(status: int) -> Callable[[Submit], None]:
    """Refuse a submit with a status."""
    return lambda submit: submit.respond(status)


def cut(submit: Submit) -> None:
    """End the session in place of an answer."""
    submit.session.cut()


async def test_a_throttled_message_goes_through_the_gateway(serving: Serving) -> None:
    """The history lists both attempts, and the gateway sends in its own name."""
    async with pair(serving) as both:
        both.smsc.smsc.answer = refuse(THROTTLED)
        told = await both.send()
        (line,) = (await both.caller.standing(told["messageId"]))["events"]

        assert "accepted" == told["status"]
        assert both.tried("smpp_0x58") == line["tried"]
        assert [SMS["messageBody"]] == both.gateway.texts


async def test_a_wrong_number_is_tried_once(serving: Serving) -> None:
    """No other network has it either."""
    async with pair(serving) as both:
        both.smsc.smsc.answer = refuse(WRONG_NUMBER)
        told = await both.send()

        assert ("rejected", "smpp_0x0b") == (told["status"], told["errorCode"])
        assert [] == both.gateway.texts


async def test_a_message_that_may_have_been_taken_is_not_sent_again(serving: Serving) -> None:
    """The session ended after the submit: nobody knows, and a person would see it twice."""
    async with pair(serving) as both:
        both.smsc.smsc.answer = cut
        told = await both.send()
        standing = await both.caller.standing(told["messageId"])

        assert ("rejected", "provider_unknown") == (told["status"], told["errorCode"])
        assert ["unknown"] == [each["status"] for each in standing["events"]]
        assert (1, []) == (len(both.smsc.texts), both.gateway.texts)


async def test_a_code_that_may_have_been_taken_is_sent_once_more(serving: Serving) -> None:
    """It is the same code, so the person may use either SMS."""
    async with pair(serving) as both:
        both.smsc.smsc.answer = cut
        entry = {"channelType": "sms", "channelAccountId": both.smpp_id}
        mine = await both.caller.with_template(entry)
        pin_id = await mine.created(PERSON)
        (channel,) = (await mine.get(f"/v1/pins/{pin_id}")).json["channels"]
        (first,), (second,) = both.smsc.texts, both.gateway.texts
        (code,) = re.findall(r"\b[0-9]{4,8}\b", second)

        assert both.tried("provider_unknown") == channel["tried"]
        assert first == second
        assert 200 == (await mine.verify(pin_id, code)).status


async def test_an_smsc_that_is_gone_is_not_asked_any_more(serving: Serving) -> None:
    """After five messages the breaker is open, and all go through the gateway at once."""
    async with pair(serving) as both:
        await both.send()
        await both.smsc.smsc.stop()
        told = [await both.send() for _ in range(7)]
        (line,) = (await both.caller.standing(told[-1]["messageId"]))["events"]
        record = await both.caller.operated("GET", f"/channel-accounts/{both.smpp_id}")

        assert {"accepted"} == {each["status"] for each in told}
        assert both.tried("channel_away") == line["tried"]
        assert "open" == record["health"]["breaker"]
        assert (1, 7) == (len(both.smsc.texts), len(both.gateway.texts))
