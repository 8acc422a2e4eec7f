"""Phones of a sandbox: what arrived, buttons, links, answers, receipts, and the clock (C-39)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Shown, Visitor
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, RECIPIENT, SMS, session
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.handsets import handset_id
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.wired import Wired

# What pages do is the same on every store.
pytestmark = pytest.mark.stores("memory")

PERSON = "+447700900123"
PHONE = f"/phones/{handset_id(PERSON)}"
QUESTION = {
    "type": "button",
    "body": {"text": "Shall we *deliver* it today?"},
    "action": {
        "buttons": [
            {"type": "reply", "reply": {"id": "y", "title": "Yes, please"}},
            {"type": "reply", "reply": {"id": "n", "title": "No, tomorrow"}},
        ]
    },
}
LIST = {
    "type": "list",
    "body": {"text": "Which tea?"},
    "action": {
        "button": "Teas",
        "sections": [
            {
                "title": "Green",
                "rows": [{"id": "1", "title": "Sencha"}, {"id": "2", "title": "Oolong"}],
            }
        ],
    },
}


async def texted(caller: Caller, text: str, recipient: str = PERSON) -> str:
    """Send an SMS, and return the message's id."""
    body = await caller.sent(sms=[{**SMS, "recipient": recipient, "messageBody": text}])
    return str(body["data"][0]["messageId"])


async def asked(caller: Caller, interactive: dict[str, Any]) -> None:
    """Send an interactive WhatsApp message to somebody who wrote before."""
    note = {"channel": "whatsapp", "from": PERSON, "to": "+15550100", "text": "Hello"}
    await caller.post("/sandbox/inbound", note)
    await caller.sent(wa=[{**session("interactive", interactive), "recipient": [PERSON]}])


async def received(caller: Caller) -> list[tuple[str, str]]:
    """Return who wrote to the account and what, the newest first."""
    inbound = [each for each in await caller.history() if each["direction"] == "inbound"]
    events = [(await caller.events(each["messageId"]))[0]["data"] for each in inbound]
    return [(each["sender"], each["text"]) for each in events]


def to_answer(page: Shown) -> str:
    """Return the name under which a phone's newest message is answered."""
    return str(page.values["to"])


async def test_an_empty_list_says_what_to_do(console: Visitor) -> None:
    """And so does a phone that got nothing."""
    page = await console.get("/phones")

    assert "Phones" == page.heading
    assert "Nothing went out yet." in page.text
    assert 404 == (await console.get(PHONE)).status


async def test_a_phone_shows_its_codes(console: Visitor, caller: Caller) -> None:
    """The phone that was used last is the first of the list, and no address tells its number."""
    await caller.created(PERSON)
    await caller.created()
    page = await console.get("/phones")
    phone = await console.get(f"/phones/{handset_id(DESTINATION)}")

    assert page.text.index(DESTINATION) < page.text.index(PERSON)
    assert f"/console{PHONE}" in page.links
    assert DESTINATION == phone.heading
    assert await caller.code() in phone.text
    assert not [link for link in (*page.links, *phone.links) if "4477" in link or "9198" in link]


async def test_all_spellings_of_a_number_are_one_phone(console: Visitor, caller: Caller) -> None:
    """It is found by any of them; a number without a phone is said so beside the field."""
    await texted(caller, "Tea is ready.", "+44 7700 900123")
    await texted(caller, "Still ready.", "447700900123")
    phone = await console.post("/phones/find", {"destination": "0044 7700-900123"})
    nobody = await console.post("/phones/find", {"destination": "+4915112345678"})

    assert "Tea is ready." in phone.text
    assert "Still ready." in phone.text
    assert (400, "Phones") == (nobody.status, nobody.heading)
    assert "has neither got nor written a message" in nobody.text


async def test_a_press_answers_with_the_button(console: Visitor, caller: Caller) -> None:
    """The answer stands on the phone, and the account has it as a message of the person's."""
    await asked(caller, QUESTION)
    phone = await console.get(PHONE)
    assert "Shall we <strong>deliver</strong> it today?" in phone.html
    assert phone.html.count('<button name="text" value="Yes, please">') == 1
    page = await console.post(f"{PHONE}/answer", {"to": to_answer(phone), "text": "Yes, please"})

    assert "Written." in page.text
    assert (PERSON, "Yes, please") == (await received(caller))[0]


async def test_a_row_of_a_list_can_be_chosen(console: Visitor, caller: Caller) -> None:
    """Each row is a button."""
    await asked(caller, LIST)
    phone = await console.get(PHONE)

    assert '<button name="text" value="Sencha">' in phone.html
    assert '<button name="text" value="Oolong">' in phone.html


async def test_an_answer_goes_to_whoever_sent_the_message(console: Visitor, caller: Caller) -> None:
    """Not to the demo's first channel account, when another account sent it."""
    other = await caller.neighbour()
    await other.created(PERSON)
    phone = await console.get(PHONE)
    await console.post(f"{PHONE}/answer", {"to": to_answer(phone), "text": "Who is this?"})

    assert [(PERSON, "Who is this?")] == await received(other)
    assert [] == await received(caller)


@pytest.mark.parametrize("text", ["", "x" * 10_001])
async def test_an_answer_that_nobody_could_write_is_asked_for_again(
    console: Visitor, caller: Caller, text: str
) -> None:
    """The problem stands beside the field."""
    await texted(caller, "Tea is ready.")
    phone = await console.get(PHONE)
    page = await console.post(f"{PHONE}/answer", {"to": to_answer(phone), "text": text})

    assert 400 == page.status
    assert "characters" in page.text
    assert [] == await received(caller)


async def test_a_message_is_answered_on_its_own_phone(console: Visitor, caller: Caller) -> None:
    """The id of another phone's message is 404."""
    await texted(caller, "Tea is ready.")
    await texted(caller, "Tea is ready.", RECIPIENT)
    theirs = to_answer(await console.get(f"/phones/{handset_id(RECIPIENT)}"))

    assert 404 == (await console.post(f"{PHONE}/answer", {"to": theirs, "text": "Hm"})).status


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        ("SENT", "", "sent"),
        ("DELIVERED", "", "delivered"),
        ("READ", "", "read"),
        ("FAILED", "absent_subscriber", "failed"),
    ],
)
async def test_a_receipt_is_sent(
    console: Visitor, caller: Caller, status: str, error: str, expected: str
) -> None:
    """The phone shows it, and the message's status follows."""
    message_id = await texted(caller, "Tea is ready.")
    phone = await console.get(PHONE)
    fields = {"message": to_answer(phone), "status": status, "errorCode": error}
    page = await console.post(f"{PHONE}/receipts", fields)
    standing = await caller.standing(message_id)

    assert "The receipt is sent." in page.text
    assert f">{expected}<" in page.html
    assert expected == standing["events"][-1]["status"]
    assert (error or None) == standing["events"][-1].get("errorCode")


async def test_a_receipt_without_a_status_is_refused(console: Visitor, caller: Caller) -> None:
    """Nothing is reported."""
    await texted(caller, "Tea is ready.")
    message = to_answer(await console.get(PHONE))

    assert 400 == (await console.post(f"{PHONE}/receipts", {"message": message})).status


async def test_links_can_be_followed_and_nothing_else(console: Visitor, caller: Caller) -> None:
    """An address in a text becomes a link without the dot behind it; a script's address does not."""
    await texted(caller, "See https://tea.example/track/42. Not javascript:alert(1) <b>now</b>")
    phone = await console.get(PHONE)

    assert "https://tea.example/track/42" in phone.links
    assert not [link for link in phone.links if link.startswith("javascript")]
    assert "<b>now</b>" not in phone.html


async def test_templates_are_shown_filled_in(console: Visitor, caller: Caller) -> None:
    """As the recipient reads them."""
    await caller.sent(wa=[DEMO_WA])
    await caller.sent(rcs=[DEMO_RCS])
    outbox = await caller.outbox()
    for each in outbox:
        phone = await console.get(f"/phones/{handset_id(each['destination'])}")
        assert each["text"] in phone.text


async def test_somebody_can_write_first(console: Visitor, caller: Caller) -> None:
    """The page leads to the phone, which then exists; wrong fields are asked for again."""
    fields = {"channel": "whatsapp", "from": PERSON, "to": "+15550100", "text": "Is it *ready*?"}
    page = await console.post("/phones/write", fields)
    wrong = await console.post("/phones/write", {**fields, "from": "", "text": ""})

    assert PERSON == page.heading
    assert "Is it <strong>ready</strong>?" in page.html
    assert [(PERSON, "Is it *ready*?")] == await received(caller)
    assert (400, "Phones") == (wrong.status, wrong.heading)
    assert "+15550100" == wrong.values["to"]


async def test_the_clock_is_moved(console: Visitor, caller: Caller) -> None:
    """What falls due is done, and the page of the phone comes again; it cannot be moved back."""
    pin = await caller.created(PERSON)
    code = await caller.code(PERSON)
    page = await console.post("/phones/clock", {"seconds": "86400", "phone": handset_id(PERSON)})

    assert PERSON == page.heading
    assert "The clock is moved" in page.text
    assert "1 d ahead" in page.text
    assert (410, "pin_expired") == (await caller.verify(pin, code)).refusal
    for wrong in ("0", "-5", "soon", "9" * 30, ""):
        assert 400 == (await console.post("/phones/clock", {"seconds": wrong})).status


async def test_all_phones_are_emptied(console: Visitor, caller: Caller) -> None:
    """What was recorded stays."""
    await asked(caller, QUESTION)
    page = await console.post("/phones/clear")

    assert "All phones are empty." in page.text
    assert "Nothing went out yet." in page.text
    assert 1 == len(await received(caller))


async def test_a_masked_auditor_sees_that_something_came(
    console_as: ConsoleAs, caller: Caller
) -> None:
    """Neither number, code, text nor link; and there is no form but the search and the log-out."""
    await caller.created(PERSON)
    code = await caller.code(PERSON)
    await texted(caller, "See https://tea.example/track/42")
    note = {"channel": "sms", "from": PERSON, "to": "+15550100", "text": "Whose tea?"}
    await caller.post("/sandbox/inbound", note)
    auditor = await console_as(TokenRole.AUDITOR)
    for page in (await auditor.get("/phones"), await auditor.get(PHONE)):
        assert 200 == page.status
        assert "***" in page.text
        for hidden in (PERSON, code, "track/42", "Whose tea"):
            assert hidden not in page.html
        assert {"/console/logout", "/console/phones/find"} >= {form.action for form in page.forms}


async def test_an_operator_acts_and_a_bound_one_does_not(
    console_as: ConsoleAs, caller: Caller
) -> None:
    """The phones are about the whole store."""
    await texted(caller, "Tea is ready.")
    operator = await console_as(TokenRole.OPERATOR)
    bound = await console_as(TokenRole.ADMIN, "demo")

    assert f"/console{PHONE}/answer" in [form.action for form in (await operator.get(PHONE)).forms]
    assert 403 == (await bound.get("/phones")).status
    assert "/console/phones" not in (await bound.get("")).links


async def test_only_a_sandbox_has_phones(service: Wired) -> None:
    """Elsewhere there is nothing at their addresses."""
    live = console_routes(evolve(service, sandbox=None))

    assert any(each.path == "/console/phones" for each in console_routes(service))
    assert not [each.path for each in live if each.path.startswith("/console/phones")]
