"""What is stored of a person, over HTTP (C-74, C-100)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
ANNA, BERT = "+447700900610", "+447700900699"
SHOW = "/people/show"


async def show(caller: Caller, destination: str) -> dict[str, Any]:
    """Return what is stored of a person of the demo account."""
    shown: dict[str, Any] = await caller.operated(
        "POST", SHOW, {"account": "demo", "destination": destination}
    )
    return shown


async def test_everything_of_a_person_is_shown(caller: Caller) -> None:
    """PINs, messages, consents and all their events are; the hash is ***, and nobody else is there."""
    pin = await caller.created(ANNA)
    await caller.created(BERT)
    sms = {"sender": "Watchword", "type": "SI", "recipient": ANNA, "messageBody": "Your tea."}
    message = (await caller.sent(sms=[sms]))["data"][0]["messageId"]
    await caller.post("/opt/in/wa", {"recipients": [ANNA]}, headers={"apikey": caller.key})
    shown = await show(caller, "00447700900610")

    assert [
        "personId",
        "pins",
        "messages",
        "consents",
        "testDestinations",
        "ratings",
        "deliveries",
        "events",
    ] == list(shown)
    assert [(pin, ANNA)] == [(each["pinId"], each["destination"]) for each in shown["pins"]]
    assert [(message, ANNA)] == [(m["messageId"], m["recipient"]) for m in shown["messages"]]
    assert [("in", ANNA)] == [(each["optList"], each["recipient"]) for each in shown["consents"]]
    events = {each["type"]: each for each in shown["events"]}
    assert {"PinIssued", "MessageSubmitted", "RecipientOptedIn"} <= events.keys()
    assert "***" == events["PinIssued"]["data"]["codeHash"]
    assert BERT not in str(shown)


async def test_no_event_of_a_person_is_left_out(caller: Caller) -> None:
    """Of PINs, messages in both directions, fired fallbacks, opt lists and ratings."""
    await caller.verify(await caller.created(ANNA, referenceId="order-4711"), "nonsense")
    slow = "+447700900003"
    rcs = {
        "sender": "Watchword",
        "recipient": slow,
        "messageType": "template",
        "contentMessage": {
            "templateMessage": {
                "templateCode": "demo",
                "customParams": '{"name": "Asha", "order": "4711"}',
            }
        },
    }
    text = {"sender": "Watchword", "type": "SI", "messageBody": "Your tea."}
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "60", "sms": text}
    await caller.sent(rcs=[rcs], fallback=fallback)
    await caller.advance(60)
    wrote = {"channel": "wa", "from": ANNA, "to": "+15550100", "text": "Hello"}
    await caller.post("/sandbox/inbound", wrote)
    await caller.post("/opt/out/wa", {"recipients": [ANNA]}, headers={"apikey": str(caller.key)})
    asha = {"email": "asha@tea.example", "password": "first flush"}
    await caller.operated("POST", "/legacy-users", asha)
    token = (await caller.post("/account/enterprise/login", asha)).json["data"]["token"]
    rated = {"chatId": "chat-7", "phone": ANNA, "rating": "5"}
    rating = await caller.using(None).post(
        "/whatsapp/chat/feedback", rated, headers={"authentication-token": token}
    )
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    answers = [await show(caller, each) for each in (ANNA, slow)]

    assert 100 == rating.json["responseCode"]
    assert {"FallbackDispatched", "MessageReceived", "ChatRated", "RecipientOptedOut"} <= {
        each["type"] for each in log
    }
    for shown in answers:
        mine = [each for each in log if each.get("person") == shown["personId"]]
        by_id = {each["eventId"]: each for each in shown["events"]}
        assert mine
        assert mine == [by_id[each["eventId"]] for each in mine]
    assert [1, 1, 1, 1] == [
        len(answers[0][each]) for each in ("pins", "messages", "consents", "ratings")
    ]
    assert ANNA not in str(answers[1])


async def test_more_than_a_page_is_shown_whole(caller: Caller) -> None:
    """An answer of many pages has every record once."""
    sms = {"sender": "Watchword", "type": "SI", "recipient": ANNA, "messageBody": "Your tea."}
    sent = [each["messageId"] for each in (await caller.sent(sms=[sms] * 250))["data"]]
    shown = await show(caller, ANNA)

    assert sorted(sent) == sorted(each["messageId"] for each in shown["messages"])
    ids = [each["eventId"] for each in shown["events"]]
    assert len(ids) == len(set(ids))
    assert set(sent) <= {each["streamId"] for each in shown["events"]}


async def test_strangers_and_erased_people_have_nothing(caller: Caller) -> None:
    """Both are 404 person_not_found; an unknown account is 404 account_not_found."""
    body = {"account": "demo", "destination": ANNA}
    stranger = await caller.operate("POST", SHOW, body)
    await caller.created(ANNA)
    await caller.operated("POST", "/people/erase", body)
    erased = await caller.operate("POST", SHOW, body)
    unknown = await caller.operate("POST", SHOW, body | {"account": "nobody"})

    assert (404, "person_not_found") == stranger.refusal == erased.refusal
    assert (404, "account_not_found") == unknown.refusal


@pytest.mark.stores("memory")
@pytest.mark.parametrize("destination", ["", "9" * 65])
async def test_no_destination_is_refused(caller: Caller, destination: str) -> None:
    """A destination has 1 to 64 characters."""
    body = {"account": "demo", "destination": destination}

    assert (400, "validation_failed") == (await caller.operate("POST", SHOW, body)).refusal
