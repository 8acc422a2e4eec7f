"""What HTTP reads of an erased person: `(erased)` for what was personal, all else as before (C-74)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from attrs import frozen

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
ANNA, BERT = "+447700900610", "+447700900699"
ERASED = "(erased)"
ORDER, TEXT = "order-4711", "Your tea, Anna."


@frozen
class Told:
    """The ids of what was sent, received and noted of Anna."""

    pin: str
    message: str
    received: str
    run: str


async def erased(caller: Caller) -> Told:
    """Send, receive and note something of Anna, and erase her."""
    tea = await caller.with_template()
    pin = await tea.created(ANNA, referenceId=ORDER)
    sms = {"sender": "Watchword", "type": "SI", "recipient": ANNA, "messageBody": TEXT}
    fallback = {
        "fallback_id": "demo",
        "fallback": True,
        "waittime": "60",
        "sms": {"sender": "Watchword", "type": "SI", "messageBody": TEXT},
    }
    entry = (await caller.sent(sms=[{**sms, "custRef1": ORDER}], fallback=fallback))["data"][0]
    wrote = {"channel": "wa", "from": ANNA, "to": "+15550100", "text": TEXT}
    received = (await caller.post("/sandbox/inbound", wrote)).json["messageId"]
    await caller.post("/opt/out/wa", {"recipients": [ANNA]}, headers={"apikey": str(caller.key)})
    await caller.operated("POST", "/people/erase", {"account": "demo", "destination": ANNA})
    return Told(pin, entry["messageId"], received, entry["fallbackRunId"])


async def keyed(caller: Caller, path: str) -> Any:
    """Read with the key of the messaging endpoints."""
    reply = await caller.using(None).get(path, headers={"apikey": str(caller.key)})
    assert 200 == reply.status, reply.body
    return reply.json


async def clicked(caller: Caller, text: str) -> int:
    """Follow the short link in a text; return the status of the answer."""
    path = re.search(r"/s/[A-Za-z0-9]{16}", text)
    assert path
    url = caller.endpoint.make_url(path[0])
    async with caller.session.get(url, allow_redirects=False) as answer:
        return answer.status


@pytest.mark.parametrize("kind", ["SI", "OTP"])
@pytest.mark.parametrize("track_user", [0, 1])
async def test_links_that_one_person_alone_got_end_with_the_person(
    caller: Caller, track_user: int, kind: str
) -> None:
    """Their address may name the person; nothing opens it, and no link leads to it any more (D-366)."""
    account = "https://tea.example/sign-in?as=anna"
    sms = {"sender": "Watchword", "type": kind, "messageBody": f"See {account}."}
    links = {"flag": 1, "urlDetails": [{"longUrl": account, "track_user": track_user}]}
    await caller.sent(sms=[{**sms, "recipient": ANNA}] * 2, urlShortener=links)
    (anna, *_) = [each["text"] for each in await caller.outbox()]
    before = await clicked(caller, anna)
    await caller.operated("POST", "/people/erase", {"account": "demo", "destination": ANNA})
    log = await caller.operated("GET", "/events?limit=1000")

    assert 302 == before
    assert 404 == await clicked(caller, anna)
    assert "as=anna" not in str(log)


async def test_a_text_and_a_link_that_several_people_got_stay(caller: Caller) -> None:
    """Those whom nobody erased can still follow it; a link of each message's own ends (D-366)."""
    menu, own = "https://tea.example/menu", "https://tea.example/mine"
    sms = {"sender": "Watchword", "type": "SI", "messageBody": f"See {menu} {own} ."}
    links = {
        "flag": 1,
        "urlDetails": [{"longUrl": menu}, {"longUrl": own, "track_user": 1}],
    }
    await caller.sent(sms=[{**sms, "recipient": each} for each in (ANNA, BERT)], urlShortener=links)
    outbox = {each["destination"]: each["text"].split() for each in await caller.outbox()}
    await caller.operated("POST", "/people/erase", {"account": "demo", "destination": ANNA})

    assert [302, 404] == [await clicked(caller, each) for each in outbox[ANNA][1:3]]
    assert [302, 302] == [await clicked(caller, each) for each in outbox[BERT][1:3]]


async def test_a_text_that_a_call_sent_to_one_person_twice_is_erased(caller: Caller) -> None:
    """Two messages share one stored text; it is still nobody else's (D-366)."""
    sms = {"sender": "Watchword", "type": "SI", "recipient": ANNA, "messageBody": TEXT}
    await caller.sent(sms=[sms, sms])
    before = await caller.operated("GET", "/events?limit=1000")
    await caller.operated("POST", "/people/erase", {"account": "demo", "destination": ANNA})

    assert TEXT in str(before)
    assert TEXT not in str(await caller.operated("GET", "/events?limit=1000"))


async def test_callers_read_erased(caller: Caller) -> None:
    """PINs, messages in both directions, and opt lists are there, without the person."""
    told = await erased(caller)
    pin = await caller.get(f"/v1/pins/{told.pin}")
    sent = await caller.standing(told.message)
    messages = {each["messageId"]: each for each in (await keyed(caller, "/messages"))["data"]}
    history = {each["messageId"]: each for each in await caller.history()}
    listed = (await keyed(caller, "/opt/out/wa"))["data"]

    assert (200, ERASED, "EXPIRED") == (pin.status, pin.json["referenceId"], pin.json["status"])
    for each in (sent, messages[told.message], history[told.message]):
        assert (ERASED, {ERASED: ERASED}) == (each["recipient"], each["custRefs"])
    for of in (messages, history):
        assert ERASED == of[told.received]["sender"]
    assert "rejected" == sent["fallback"]["status"]
    assert [ERASED] == [each["recipient"] for each in listed]
    for each in (pin.json, sent, messages, history, listed):
        assert nobody(each)


async def test_operators_read_erased(caller: Caller) -> None:
    """Lists, histories and the log, masked or not; a mask hides nothing more of what is gone."""
    told = await erased(caller)
    pins = (await caller.operated("GET", "/verifications?account=demo"))["data"]
    messages = (await caller.operated("GET", "/messages?account=demo"))["data"]
    log = (await caller.operated("GET", "/events?limit=1000"))["data"]
    masked = (await caller.operated("GET", "/events?limit=1000&mask=true"))["data"]
    streams = [await caller.events(each) for each in (told.pin, told.message, told.run)]
    issued, submitted, armed = (stream[0]["data"] for stream in streams)
    mine = {each["streamId"] for stream in streams for each in stream}

    assert (ERASED, ERASED) == (pins[0]["destination"], pins[0]["referenceId"])
    assert {ERASED} == {
        each["sender" if each["direction"] == "inbound" else "recipient"] for each in messages
    }
    assert (ERASED, ERASED) == (issued["destination"], issued["referenceId"])
    assert (ERASED, ERASED) == (submitted["recipient"], submitted["content"]["text"])
    assert ERASED == armed["steps"][0]["recipient"]
    assert [each for each in log if each["streamId"] in mine] == [
        each for each in masked if each["streamId"] in mine
    ]
    for each in (pins, messages, log, masked, streams):
        assert nobody(each)


async def test_no_search_by_what_was_personal_finds_the_erased(caller: Caller) -> None:
    """Searches by reference, number and custom reference find nothing, and do not fail."""
    await erased(caller)
    searches = [
        f"/verifications?account=demo&referenceId={ORDER}",
        f"/messages?account=demo&reference={ORDER}",
        f"/messages?account=demo&recipient=%2B{ANNA[1:]}",
    ]

    for each in searches:
        assert [] == (await caller.operated("GET", each))["data"]
    assert [] == (await keyed(caller, f"/history?recipient=%2B{ANNA[1:]}"))["data"]


def nobody(answer: Any) -> bool:
    """Return whether an answer tells nothing of Anna."""
    return not [each for each in (ANNA[1:], ORDER, TEXT) if each in str(answer)]
