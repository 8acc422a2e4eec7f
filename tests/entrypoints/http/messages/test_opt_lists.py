"""`/opt/{in|out}/wa` over HTTP, and sends to numbers on the lists (C-27, C-48, C-59)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EVERY_STORE
from tests.entrypoints.messaging.sends import (
    DEMO_FALLBACK_WA,
    DEMO_WA,
    FALLBACK,
    FALLBACK_SMS,
    RECIPIENT,
    session,
)
from watchword.entrypoints.demo.seeding import API_KEY

STORES = EVERY_STORE
OUT, IN = "/opt/out/wa", "/opt/in/wa"


async def ask(caller: Caller, method: str, path: str, body: Any = None) -> Reply:
    """Ask with the key in the header of the messaging endpoints."""
    headers = {"apikey": str(caller.key)}
    return await caller.using(None).ask(method, path, body, headers=headers)


async def counts(caller: Caller, method: str, path: str, *recipients: str) -> dict[str, int]:
    """Change a list, with success."""
    reply = await ask(caller, method, path, {"recipients": recipients})
    assert (200, "success") == (reply.status, reply.json["status"]), reply.body
    return dict(reply.json["data"])


async def on(caller: Caller, path: str) -> list[str]:
    """Return the numbers on a list."""
    return [each["recipient"] for each in (await ask(caller, "GET", path)).json["data"]]


async def test_numbers_come_and_go(caller: Caller) -> None:
    """Each call counts numbers, not spellings; the last list wins."""
    assert {"added": 1, "unchanged": 0} == await counts(
        caller, "POST", OUT, "+447700900123", "0044 7700 900123"
    )
    assert {"added": 1, "unchanged": 1} == await counts(
        caller, "POST", OUT, "447700900123", "+447700900124"
    )
    assert {"removed": 0, "unchanged": 1} == await counts(caller, "DELETE", IN, "+447700900123")
    assert {"added": 1, "unchanged": 0} == await counts(caller, "POST", IN, "+447700900124")
    assert {"removed": 1, "unchanged": 1} == await counts(
        caller, "DELETE", OUT, "+447700900123", "+447700900124"
    )
    assert ([], ["+447700900124"]) == (await on(caller, OUT), await on(caller, IN))


async def test_a_page_of_a_list(caller: Caller) -> None:
    """Zero-based, the newest first, with the documented members alone (C-59, C-64)."""
    for number in ("+447700900001", "+447700900002", "+447700900003"):
        await counts(caller, "POST", OUT, number)
        await caller.advance(1)
    page = (await ask(caller, "GET", f"{OUT}?pageNo=1&limit=2")).json
    most = (await ask(caller, "GET", f"{OUT}?limit=500")).json

    assert {"page_details", "data"} == page.keys()
    assert {"pageNo": 1, "limit": 2} == page["page_details"]
    assert [{"recipient", "since"}] == [each.keys() for each in page["data"]]
    assert "+447700900001" == page["data"][0]["recipient"]
    assert 500 == most["page_details"]["limit"]
    assert 3 == len(most["data"])


async def test_a_send_to_an_opted_out_number(caller: Caller) -> None:
    """200 with a rejected entry, for a template and in a session; its fallback goes out (C-48)."""
    await caller.post(
        "/sandbox/inbound", {"channel": "wa", "from": RECIPIENT, "to": "+15550100", "text": "Hi"}
    )
    await counts(caller, "POST", OUT, RECIPIENT)
    entries = [DEMO_WA, session("text", {"body": "How was it?"})]
    body = await caller.sent(wa=entries, fallback={**FALLBACK, "sms": FALLBACK_SMS})
    await caller.advance(1)

    assert [("rejected", "recipient_opted_out")] * 2 == [
        (each["status"], each["errorCode"]) for each in body["data"]
    ]
    assert ["sms", "sms"] == [each["channel"] for each in await caller.outbox()]
    standing = await caller.standing(body["data"][0]["messageId"])
    assert ("rejected", "fired") == (standing["status"], standing["fallback"]["status"])


async def test_a_step_that_is_not_wanted_is_told_in_its_message(caller: Caller) -> None:
    """The status shows the run as rejected, with why (C-51)."""
    step = DEMO_FALLBACK_WA
    configuration = {"fallback_id": "by-wa", "steps": ["wa"]}
    await caller.operated("POST", "/fallback-configurations", configuration)
    sms = {"sender": "TEAHSE", "recipient": RECIPIENT, "type": "SI", "messageBody": "Tea."}
    body = await caller.sent(sms=[sms], fallback={**FALLBACK, "fallback_id": "by-wa", "wa": step})
    await counts(caller, "POST", OUT, RECIPIENT)
    await caller.advance(61)
    fallback = (await caller.standing(body["data"][0]["messageId"]))["fallback"]

    assert "rejected" == fallback["status"]
    assert [("whatsapp", "rejected", "recipient_opted_out")] == [
        (each["channel"], each["status"], each["errorCode"]) for each in fallback["steps"]
    ]


async def test_what_is_no_list_of_numbers_is_400(caller: Caller) -> None:
    """1 to 1,000 of them; nothing is moved."""
    for recipients in ([], ["+447700900123"] * 1_001, "+447700900123", None, [447700900123]):
        for method in ("POST", "DELETE"):
            reply = await ask(caller, method, OUT, {"recipients": recipients})

            assert (400, "validation_failed") == (reply.status, reply.json["code"]), recipients
            assert reply.json["errors"][0]["field"].startswith("recipients")
    assert [] == await on(caller, OUT)


async def test_what_is_no_number_is_named_by_its_place(caller: Caller) -> None:
    """A list with an entry that matches no number would be an empty promise (C-89)."""
    wrong = ["+447700900123", "", "tel:+447700900123", "+447700900124;", "ann@tea.example", "+1"]
    for method in ("POST", "DELETE"):
        reply = await ask(caller, method, OUT, {"recipients": wrong})

        assert [f"recipients[{number}]" for number in range(1, 6)] == reply.wrong
    assert [] == await on(caller, OUT)


async def test_a_thousand_numbers_at_once(caller: Caller) -> None:
    """All in one append."""
    numbers = [f"+4477009{number:05}" for number in range(1_000)]

    assert {"added": 1_000, "unchanged": 0} == await counts(caller, "POST", OUT, *numbers)
    assert {"removed": 1_000, "unchanged": 0} == await counts(caller, "DELETE", OUT, *numbers)


async def test_neighbours_do_not_see_each_other(caller: Caller) -> None:
    """A number is on the lists of one account (C-7)."""
    neighbour = await caller.neighbour()
    await counts(neighbour, "POST", OUT, RECIPIENT)

    assert [] == await on(caller, OUT)
    assert {"removed": 0, "unchanged": 1} == await counts(caller, "DELETE", OUT, RECIPIENT)
    assert "accepted" == (await caller.sent(wa=[DEMO_WA]))["data"][0]["status"]


async def test_a_key_is_asked_for_before_the_body_is_read(caller: Caller) -> None:
    """401 without one, 403 without the scope, 404 and 405 before both (C-8, C-64)."""
    pins = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})
    wrong: dict[str, Any] = {"recipients": []}

    assert 401 == (await ask(caller.using("wrong"), "POST", OUT, wrong)).status
    assert 403 == (await ask(caller.using(pins["key"]), "POST", OUT, wrong)).status
    assert 404 == (await ask(caller.using("wrong"), "GET", "/opt/off/wa")).status
    assert 404 == (await ask(caller, "GET", "/opt/out/sms")).status
    assert 405 == (await ask(caller.using("wrong"), "PUT", OUT, wrong)).status
    assert API_KEY == caller.key


async def test_a_masked_history_tells_no_number(caller: Caller) -> None:
    """The id of its stream does not reveal it either (C-38, D-74)."""
    await counts(caller, "POST", OUT, RECIPIENT)
    log = (await caller.operated("GET", "/events?limit=1000&mask=true"))["data"]
    (event,) = [each for each in log if each["type"] == "RecipientOptedOut"]

    assert RECIPIENT.removeprefix("+") not in str(event)
    assert ["RecipientOptedOut"] == await caller.story(event["streamId"])
