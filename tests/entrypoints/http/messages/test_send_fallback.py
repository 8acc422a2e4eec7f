"""B1 with a fallback: its answer, when it fires, and when it does not (SPEC 3, C-20, C-21, C-52)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_WA,
    FALLBACK,
    FALLBACK_RCS,
    FALLBACK_SMS,
    FALLBACK_WA,
    RECIPIENT,
    SMS,
)
from tests.fakes.providers import ScriptedProvider

STORES = EVERY_STORE

WITH_SMS = {**FALLBACK, "sms": FALLBACK_SMS}


async def test_every_message_gets_a_run(caller: Caller) -> None:
    """The answer names each message's run, and the common wait time (C-19)."""
    now = (await caller.post("/sandbox/clock/advance", {"seconds": 1})).json["now"]
    body = await caller.sent(
        wa=[{**DEMO_WA, "recipient": [RECIPIENT, "+15550101"]}], fallback=WITH_SMS
    )
    runs = [each["fallbackRunId"] for each in body["data"]]

    assert 2 == len(set(runs))
    assert {"fallback_id", "waittime", "deadline"} == body["fallback"].keys()
    assert ("demo", "60") == (body["fallback"]["fallback_id"], body["fallback"]["waittime"])
    late = datetime.fromisoformat(body["fallback"]["deadline"]) - datetime.fromisoformat(now)
    assert timedelta(seconds=60) <= late < timedelta(seconds=75)
    for run in runs:
        assert ["FallbackArmed"] == await caller.story(run)


async def test_without_a_fallback_there_is_none_in_the_answer(caller: Caller) -> None:
    """Without an object, and with `false` (C-20)."""
    for fallback in (None, {"fallback": False, "fallback_id": "nothing", "waittime": "tea"}):
        body = await caller.sent(wa=[DEMO_WA], fallback=fallback)

        assert "fallback" not in body
        assert "fallbackRunId" not in body["data"][0]


async def test_silence_fires_at_the_deadline(caller: Caller) -> None:
    """Nothing goes out before, the SMS after `waittime` seconds (SPEC 3)."""
    await caller.sent(wa=[DEMO_WA], fallback=WITH_SMS)
    await caller.advance(50)

    assert ["whatsapp"] == [each["channel"] for each in await caller.outbox()]

    await caller.advance(10)

    assert ["whatsapp", "sms"] == [each["channel"] for each in await caller.outbox()]
    assert RECIPIENT == (await caller.outbox())[-1]["destination"]


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        ({}, {"custref1": "order-7", "custref2": "web"}),
        ({"custRef1": "step-1"}, {"custRef1": "step-1"}),
    ],
    ids=["the primary's", "its own"],
)
async def test_a_step_carries_the_custom_references_on(
    caller: Caller, own: dict[str, str], shown: dict[str, str]
) -> None:
    """A step without any of its own has all of the primary's, else its own alone (D-148)."""
    primary = {**DEMO_WA, "custref1": "order-7", "custref2": "web"}
    without = {name: text for name, text in FALLBACK_SMS.items() if "ef" not in name}
    (sent,) = (await caller.sent(wa=[primary], fallback={**FALLBACK, "sms": {**without, **own}}))[
        "data"
    ]
    await caller.advance(60)
    (step,) = (await caller.standing(sent["messageId"]))["fallback"]["steps"]

    assert shown == (await caller.standing(step["messageId"]))["custRefs"]


async def test_a_rejected_primary_fires_at_once(caller: Caller) -> None:
    """The entry says rejected, and the fallback goes out before any deadline (C-20)."""
    moody = {"name": "moody", "channelType": "wa", "provider": "sandbox", "sender": "moody"}
    await caller.operated("POST", "/channel-accounts", {**moody, "config": {"outcome": "rejected"}})
    body = await caller.sent(wa=[{**DEMO_WA, "sender": "moody"}], fallback=WITH_SMS)
    await caller.advance(1)
    (entry,) = body["data"]

    assert ("rejected", "sandbox_rejected") == (entry["status"], entry["errorCode"])
    assert ["sms"] == [each["channel"] for each in await caller.outbox()]
    assert [
        "FallbackArmed",
        "FallbackTriggered",
        "FallbackFired",
        "FallbackDispatched",
    ] == await caller.story(entry["fallbackRunId"])


async def test_a_ttl_ends_with_the_wait(serving: Serving) -> None:
    """The wait time overrides a longer ttl, and stands for one that is missing (SPEC 8, C-20)."""
    phone = ScriptedProvider()
    async with serving(providers={"phone": phone}) as caller:
        channel = {"name": "phone", "channelType": "sms", "provider": "phone", "sender": "own"}
        await caller.operated("POST", "/channel-accounts", channel)
        for ttl in ("300", 30, None):
            await caller.sent(sms=[{**SMS, "sender": "own", "ttl": ttl}], fallback=WITH_SMS)

    assert [60, 30, 60] == [each.ttl_seconds for each in phone.messages]


async def test_a_wrong_sms_type_is_found_when_the_fallback_fires(caller: Caller) -> None:
    """The call says 200; at the deadline the run ends as rejected, and nothing is sent (C-21)."""
    wrong = {**FALLBACK, "sms": {**FALLBACK_SMS, "type": "TXN"}}
    body = await caller.sent(wa=[DEMO_WA], fallback=wrong)
    await caller.advance(61)
    story = await caller.story(body["data"][0]["fallbackRunId"])

    assert "accepted" == body["data"][0]["status"]
    assert "FallbackRejected" == story[-1]
    assert "FallbackFired" not in story
    assert ["whatsapp"] == [each["channel"] for each in await caller.outbox()]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"fallback_id": "unheard-of"}, ["fallback.fallback_id"]),
        ({"sms": None}, ["fallback.sms"]),
        ({"wa": DEMO_FALLBACK_WA}, ["fallback.wa"]),
        ({"rcs": {**FALLBACK_RCS, "templateCode": "demo"}}, ["fallback.rcs"]),
        ({"fallback_id": "demo-two"}, ["fallback.wa"]),
        ({"fallback_id": None}, ["fallback.fallback_id"]),
        ({"waittime": "0"}, ["fallback.waittime"]),
        ({"waittime": 172_801}, ["fallback.waittime"]),
    ],
)
async def test_a_fallback_has_the_objects_of_its_configuration(
    caller: Caller, changes: dict[str, Any], wrong: list[str]
) -> None:
    """The ones that its steps name, no others; each wrong one by its path (C-35, C-52)."""
    reply = await caller.send(wa=[DEMO_WA], fallback=WITH_SMS | changes)

    assert wrong == reply.wrong
    assert [] == await caller.outbox()


async def test_a_template_of_the_fallback_exists_at_the_send(caller: Caller) -> None:
    """One that does not is 404, and nothing is sent (C-52, C-64)."""
    two = {**WITH_SMS, "fallback_id": "demo-two", "wa": FALLBACK_WA}

    assert (404, "template_not_found") == (await caller.send(sms=[SMS], fallback=two)).refusal
    assert [] == await caller.outbox()


async def test_another_accounts_configuration_is_unknown(caller: Caller) -> None:
    """It is 400 like any unknown one (C-7)."""
    neighbour = await caller.neighbour()
    theirs = await neighbour.send(sms=[SMS], fallback=WITH_SMS)
    nobodys = await neighbour.send(sms=[SMS], fallback={**WITH_SMS, "fallback_id": "nobody's"})

    assert theirs.error == nobodys.error
    assert ["fallback.fallback_id"] == theirs.wrong


async def test_a_third_partys_object_reaches_its_adapter(serving: Serving) -> None:
    """It has its own name, and is unchanged (C-52)."""
    pigeon = ScriptedProvider()
    payload = {"sender": "loft", "ring": 7, "deep": {"any": [None, True]}}
    async with serving(providers={"pigeon": pigeon}) as caller:
        channel = {"name": "loft", "channelType": "pigeon", "provider": "pigeon"}
        await caller.operated("POST", "/channel-accounts", channel)
        steps = {"fallback_id": "by-air", "steps": ["pigeon"]}
        await caller.operated("POST", "/fallback-configurations", steps)
        fallback = {**FALLBACK, "fallback_id": "by-air", "pigeon": payload}
        await caller.sent(sms=[SMS], fallback=fallback)
        await caller.advance(61)

    (message,) = pigeon.messages
    assert message.content is not None
    assert {"kind": "provider", "payload": payload} == {
        "kind": message.content.kind,
        "payload": getattr(message.content, "payload", None),
    }
    assert RECIPIENT == message.destination


async def test_objects_that_no_adapter_is_for_are_ignored(caller: Caller) -> None:
    """Like every unknown member (C-9)."""
    body = await caller.sent(wa=[DEMO_WA], fallback={**WITH_SMS, "pigeon": "coo"})

    assert "fallbackRunId" in body["data"][0]
