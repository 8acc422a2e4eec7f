"""Every array of `/oapi/send_sms` leaves the building, and its receipts and answers come back (B1, C-70)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, SMS, session
from tests.entrypoints.networks.accounts import PUBLIC, account_of
from tests.entrypoints.networks.lines import Line, smpp_line
from tests.entrypoints.networks.posting_lines import gateway_line, graph_line, rbm_line

STORES = ("sqlite",)
PERSON = "+4915112345610"
Lines = Callable[[], AbstractAsyncContextManager[Line]]

# The entry of each array, and a part of the message that is seen at the network.
SENDS = {
    "sms": ({**SMS, "recipient": PERSON}, SMS["messageBody"]),
    "wa": ({**DEMO_WA, "recipient": [PERSON]}, "4711"),
    "rcs": ({**DEMO_RCS, "recipient": PERSON}, "4711"),
}
ARRAYS = {"sms": "sms", "whatsapp": "wa", "rcs": "rcs"}


async def history_of(caller: Caller, direction: str) -> list[Mapping[str, Any]]:
    """Return the messages of a direction, the newest first."""
    return [each for each in await caller.history() if each["direction"] == direction]


@pytest.mark.parametrize("line_of", [gateway_line, smpp_line, graph_line, rbm_line])
async def test_a_message_leaves_and_its_receipt_and_an_answer_come_back(
    serving: Serving, line_of: Lines
) -> None:
    """The network takes the message; its report moves the status, and a person's answer is recorded."""
    async with line_of() as line, serving(public_url=PUBLIC) as caller:
        account = await account_of(caller, line.channel, line.provider, line.config, line.sender)
        array = ARRAYS[line.channel]
        entry, part = SENDS[array]
        (told,) = (await caller.sent(**{array: [{**entry, "sender": line.sender}]}))["data"]
        await line.report(account)
        await line.pass_on(account, PERSON, "Yes, at noon")
        (sent,) = await history_of(caller, "outbound")
        (answer,) = await history_of(caller, "inbound")

        assert "accepted" == told["status"], told
        assert part in line.texts[-1]
        assert (told["messageId"], "delivered") == (sent["messageId"], sent["status"])
        # Meta and SMSCs write numbers without a plus.
        assert (line.channel, PERSON[1:]) == (answer["channel"], answer["sender"].lstrip("+"))


async def test_an_answer_opens_a_session_on_whatsapp(serving: Serving) -> None:
    """Without it, a text is refused; with it, texts, buttons and media go out (C-26)."""
    texts = {
        "text": {"body": "Noon it is."},
        "image": {"link": "https://example.com/tea.png", "caption": "Tea"},
        "interactive": {
            "type": "button",
            "body": {"text": "Tea?"},
            "action": {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Yes"}}]},
        },
    }
    async with graph_line() as line, serving(public_url=PUBLIC) as caller:
        account = await account_of(caller, line.channel, line.provider, line.config, line.sender)

        async def told(kind: str) -> Any:
            entry = {**session(kind, texts[kind]), "recipient": [PERSON], "sender": line.sender}
            (said,) = (await caller.sent(wa=[entry]))["data"]
            return said

        early = await told("text")
        await line.pass_on(account, PERSON, "When?")
        late = [await told(kind) for kind in texts]

        assert ("rejected", "session_expired") == (early["status"], early["errorCode"])
        assert ["accepted"] * 3 == [each["status"] for each in late]
        assert list(texts.values()) == [json.loads(each) for each in line.texts]
