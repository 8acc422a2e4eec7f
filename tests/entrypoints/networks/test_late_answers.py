"""An SMSC answers after the provider time-out: the message does not stay unknown (C-68, D-301)."""

from __future__ import annotations

from tests.adapters.channels.smpp import answers, deliveries
from tests.entrypoints.conftest import Serving
from tests.entrypoints.messaging.sends import SMS
from tests.entrypoints.networks.accounts import account_of
from tests.entrypoints.networks.lines import smpp_line

STORES = ("sqlite",)


async def test_a_message_that_was_taken_late_is_followed_to_its_end(serving: Serving) -> None:
    """The caller was told of a time-out; status and history say what became of the message."""
    async with smpp_line() as line, serving(provider_timeout=1.0) as caller:
        smsc = line.smsc
        await account_of(caller, "sms", "smpp", line.config, line.sender)
        smsc.answers.append(answers.never)
        (told,) = (await caller.sent(sms=[{**SMS, "sender": line.sender}]))["data"]
        smsc.submits[0].accept("late")
        pushed = smsc.push(deliveries.receipt("late"))
        await smsc.until(lambda: pushed.ended)
        standing = await caller.standing(told["messageId"])

    assert ("rejected", "provider_timeout") == (told["status"], told["errorCode"])
    assert "delivered" == standing["status"]
    assert ["unknown", "sent", "delivered"] == [each["status"] for each in standing["events"]]


async def test_a_code_that_was_taken_late_has_its_receipt(serving: Serving) -> None:
    """The caller was told of a failure; the code is live, and its verification shows the receipt."""
    async with smpp_line() as line, serving(provider_timeout=1.0) as caller:
        smsc = line.smsc
        account = await account_of(caller, "sms", "smpp", line.config, line.sender)
        entry = {"channelType": "sms", "channelAccountId": account.channel_account_id}
        mine = await caller.with_template(entry)
        smsc.answers.append(answers.never)
        reply = await mine.create("+4915112345610")
        pin_id = reply.json["error"]["details"]["pinId"]
        smsc.submits[0].accept("late")
        pushed = smsc.push(deliveries.receipt("late"))
        await smsc.until(lambda: pushed.ended)
        (channel,) = (await mine.get(f"/v1/pins/{pin_id}")).json["channels"]

    assert 502 == reply.status
    assert "delivered" == channel["receipt"]["status"]
