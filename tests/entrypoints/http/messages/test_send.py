"""B1: the answer of a send, and what the recipients get (SPEC 4 B1, C-19, C-28, C-45, C-60)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.messaging.sends import (
    DEMO_RCS,
    DEMO_WA,
    INDIAN,
    RECIPIENT,
    SMS,
    rcs_with,
    session,
)
from tests.fakes.providers import ScriptedProvider

STORES = EVERY_STORE

REJECTING = "+4915112340001"


async def test_an_sms(caller: Caller) -> None:
    """The answer of C-19, and the text on the recipient's phone."""
    reply = await caller.send(sms=[{**SMS, "custRef1": {"CustomReference1": "order-1"}}])
    (entry,) = reply.json["data"]
    (outgoing,) = await caller.outbox()

    assert 200 == reply.status
    assert {
        "status": "success",
        "requestId": reply.headers["X-Request-Id"],
        "data": [
            {
                "messageId": entry["messageId"],
                "channel": "sms",
                "recipient": RECIPIENT,
                "status": "accepted",
                "custRefs": {"CustomReference1": "order-1"},
            }
        ],
    } == reply.json
    assert ("sms", RECIPIENT, "TEAHSE", "Your tea is ready.") == tuple(
        outgoing[name] for name in ("channel", "destination", "sender", "text")
    )
    assert ["MessageSubmitted", "MessageDispatched"] == await caller.story(entry["messageId"])


async def test_an_sms_to_india(caller: Caller) -> None:
    """With its DLT ids it goes out; without them it is 400 (C-30)."""
    entry = {**SMS, "recipient": INDIAN}

    assert ["sms[0].templateId", "sms[0].entityId"] == (await caller.send(sms=[entry])).wrong
    assert [] == await caller.outbox()
    await caller.sent(sms=[entry | {"templateId": "1107", "entityId": "1201"}])
    assert 1 == len(await caller.outbox())


async def test_a_key_with_auto_match_finds_no_template_yet(caller: Caller) -> None:
    """With templateAutoMatch, too: a text that matches no registered template is 400 (C-30)."""
    made = await caller.operated("POST", "/api-keys", {"name": "auto", "templateAutoMatch": True})
    matching = caller.using(made["key"])

    reply = await matching.send(sms=[{**SMS, "recipient": INDIAN}])

    assert ["sms[0].templateId", "sms[0].entityId"] == reply.wrong


async def test_a_whatsapp_template_for_several(caller: Caller) -> None:
    """One entry per recipient and object, in the order given; the channel is `whatsapp` (C-45)."""
    first = {**DEMO_WA, "recipient": ["+447700900124", RECIPIENT], "custref1": "one"}
    second = {**DEMO_WA, "recipient": ["+447700900123"], "custref5": "two"}
    data = (await caller.sent(wa=[first, second]))["data"]

    assert [
        ("whatsapp", "+447700900124", {"custref1": "one"}),
        ("whatsapp", RECIPIENT, {"custref1": "one"}),
        ("whatsapp", "+447700900123", {"custref5": "two"}),
    ] == [(each["channel"], each["recipient"], each["custRefs"]) for each in data]
    assert 3 == len({each["messageId"] for each in data})
    assert 3 == len(await caller.outbox("channel=wa"))


async def test_an_rcs_template(caller: Caller) -> None:
    """`customParams` fill the template's placeholders."""
    await caller.sent(rcs=[DEMO_RCS])

    (outgoing,) = await caller.outbox("channel=rcs")
    assert "Hello Asha, your order 4711 is on its way." == outgoing["text"]


@pytest.mark.parametrize("params", [None, "{}", '{"name": "Asha"}'])
async def test_every_placeholder_of_an_rcs_template_is_filled(caller: Caller, params: Any) -> None:
    """`customParams` is required if the template has placeholders (C-60)."""
    entry = {**rcs_with(params), "sender": DEMO_RCS["sender"]}
    entry["contentMessage"]["templateMessage"]["templateCode"] = "demo"
    reply = await caller.send(rcs=[entry])

    assert ["rcs[0].contentMessage.templateMessage.customParams"] == reply.wrong
    assert [] == await caller.outbox()


async def test_a_closed_session_rejects_its_entry(caller: Caller) -> None:
    """A person silent for 24 hours gets no session message; the other entries are sent (C-26, C-48)."""
    (entry,) = (await caller.sent(wa=[session("text", {"body": "Tea?"})]))["data"]

    assert ("rejected", "session_expired") == (entry["status"], entry["errorCode"])
    assert entry["errorMessage"]
    assert [] == await caller.outbox()


async def test_a_providers_no_rejects_only_its_entry(caller: Caller) -> None:
    """The call succeeds, and marks the rejected entry (C-48)."""
    body = await caller.sent(sms=[{**SMS, "recipient": REJECTING}, SMS])
    rejected, accepted = body["data"]

    assert "success" == body["status"]
    assert ("rejected", "sandbox_rejected") == (rejected["status"], rejected["errorCode"])
    assert "accepted" == accepted["status"]
    assert not {"errorCode", "errorMessage"} & accepted.keys()
    assert 1 == len(await caller.outbox())


@pytest.mark.parametrize(
    ("recipient", "reached"),
    [
        ("15112345610", "4915112345610"),
        ("4915112345610", "4915112345610"),
        ("+447700900123", "+447700900123"),
    ],
)
async def test_a_prefix(caller: Caller, recipient: str, reached: str) -> None:
    """It goes before a recipient that begins neither with `+` nor with it (C-28)."""
    body = await caller.sent(sms=[{**SMS, "recipient": recipient}], prefix="49")

    assert reached == body["data"][0]["recipient"]
    assert [reached] == [each["destination"] for each in await caller.outbox()]


async def test_a_campaign_is_on_record(caller: Caller) -> None:
    """`campaignName` stands in the message's history."""
    body = await caller.sent(sms=[SMS], campaignName="spring")
    submitted, _ = await caller.events(body["data"][0]["messageId"])

    assert "spring" == submitted["data"]["campaign"]


async def test_both_paths_are_one_endpoint(caller: Caller) -> None:
    """`/send_sms` does what `/oapi/send_sms` does (C-19)."""
    first = await caller.sent(sms=[SMS])
    second = await caller.sent(sms=[SMS], path="/send_sms")

    assert first.keys() == second.keys()
    assert 2 == len(await caller.outbox())


async def test_a_ttl_goes_to_the_provider(serving: Serving) -> None:
    """In seconds, on every primary object (C-50), with the other members of an SMS."""
    phone = ScriptedProvider()
    async with serving(providers={"phone": phone}) as caller:
        neighbour = await caller.neighbour("with a phone")
        for channel in ("sms", "whatsapp", "rcs"):
            await caller.operated(
                "POST",
                "/channel-accounts",
                {
                    "account": "with a phone",
                    "name": channel,
                    "channelType": channel,
                    "provider": "phone",
                    "sender": "own",
                },
            )
        entry = {**SMS, "sender": "own", "ttl": 300, "unicode": 1, "entityId": "1201"}
        await neighbour.sent(sms=[entry])
        await neighbour.sent(sms=[entry | {"ttl": "90", "unicode": 0}])
        await neighbour.sent(sms=[{**SMS, "sender": "own"}])

    assert [(300, True), (90, False), (None, False)] == [
        (each.ttl_seconds, each.unicode) for each in phone.messages
    ]
    assert ["1201", "1201", None] == [each.entity_id for each in phone.messages]


async def test_a_thousand_messages_at_once(caller: Caller) -> None:
    """1,000 entries are served in one call, and one more is 400 (C-19)."""
    entry = {**DEMO_WA, "recipient": [f"+4477009{number:05}" for number in range(10, 1010)]}
    body = await caller.sent(wa=[entry])

    assert entry["recipient"] == [each["recipient"] for each in body["data"]]
    assert {"wa"} == set((await caller.send(wa=[entry, DEMO_WA])).wrong)


async def test_an_invalid_type_is_told_verbatim(caller: Caller) -> None:
    """The whole error form of C-18, with every field at once."""
    reply = await caller.send(
        sms=[SMS, {**SMS, "type": "TXN"}, {"type": "Promo"}], urlShortener={"flag": 1}
    )
    told = reply.json

    assert 400 == reply.status
    assert {"status", "code", "message", "errors", "requestId"} == told.keys()
    assert ("error", "validation_failed") == (told["status"], told["code"])
    assert {"field": "sms[1].type", "message": "invalid type"} in told["errors"]
    assert {"field": "sms[2].type", "message": "invalid type"} in told["errors"]
    assert [
        "invalid type",
        "invalid type: must be SI, OTP or SE (case-sensitive)",
    ] == [each["message"] for each in told["errors"] if each["field"] == "sms[1].type"]
    assert 1 == told["message"].count("sms[1].type")
    assert {
        "sms[1].type",
        "sms[2].sender",
        "sms[2].type",
        "sms[2].messageBody",
        "sms[2].recipient",
        "urlShortener.urlDetails",
    } == set(reply.wrong)
    assert [] == await caller.outbox()


async def test_an_unknown_template_fails_the_whole_call(caller: Caller) -> None:
    """404 template_not_found, and nothing is sent; another account's is as unknown (C-7, C-48)."""
    unknown = {**DEMO_WA, "template": {"name": "nothing", "language": {"code": "en"}}}
    neighbour = await caller.neighbour()
    for channel in ("whatsapp", "rcs"):
        theirs = {"account": "neighbour", "name": channel, "channelType": channel}
        await caller.operated("POST", "/channel-accounts", {**theirs, "provider": "sandbox"})
    before = await caller.recorded()

    def same(one: Reply, other: Reply) -> None:
        assert (404, "template_not_found") == one.refusal == other.refusal

    same(await caller.send(wa=[DEMO_WA, unknown]), await neighbour.send(wa=[DEMO_WA]))
    same(
        await caller.send(rcs=[{**DEMO_RCS, **_named("nothing")}]),
        await neighbour.send(rcs=[DEMO_RCS]),
    )
    assert [] == await caller.outbox()
    assert before == await caller.recorded()


async def test_a_channel_without_a_channel_account_is_400(caller: Caller) -> None:
    """The path of its entry is named."""
    neighbour = await caller.neighbour()

    assert ["wa[0].sender"] == (await neighbour.send(wa=[DEMO_WA])).wrong


def _named(code: str) -> dict[str, Any]:
    return {"contentMessage": {"templateMessage": {"templateCode": code}}}
