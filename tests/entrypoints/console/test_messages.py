"""The list of messages, and the story of one (C-23, C-37, C-85)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from tests.entrypoints.messaging.sends import DEMO_RCS, DEMO_WA, INTERACTIVE, WA
from watchword.application.caller import ADMIN
from watchword.application.caller import Caller as By
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
ASHA, SILENT = "+447700900123", "+447700900003"


def sms(recipient: str = ASHA, text: str = "Tea is ready.", **more: Any) -> dict[str, Any]:
    """Return a primary SMS."""
    body = {"sender": "Watchword", "recipient": recipient, "type": "SI", "messageBody": text}
    return {"sms": [{**body, **more}]}


async def sent(caller: Caller, **body: Any) -> str:
    """Send a message, and return its id."""
    answer = await caller.sent(**body)
    return str(answer["data"][0]["messageId"])


async def test_an_empty_list_says_what_to_do_first(console: Visitor) -> None:
    """It names the call that sends the first one."""
    shown = await console.get("/messages")

    assert "Messages" == shown.heading
    assert "/oapi/send_sms" in shown.text


async def test_a_search_by_number_leaves_no_number_in_an_address(
    console: Visitor, caller: Caller
) -> None:
    """The form is posted, and its answer is the list (C-73)."""
    found, other = await sent(caller, **sms()), await sent(caller, **sms("+447700900456"))
    await console.get("/messages")
    shown = await console.post("/messages", {"recipient": "0044 7700 900123"})

    assert (200, "/console/messages") == (shown.status, shown.url)
    assert found in shown.html
    assert other not in shown.html
    assert "900123" not in "".join(shown.links)


async def test_a_search_without_people_has_an_address(console: Visitor, caller: Caller) -> None:
    """A filter by channel leads to an address that can be shared."""
    await sent(caller, **sms())
    await console.get("/messages")
    shown = await console.post("/messages", {"channel": "rcs"})

    assert "channel=rcs" in shown.url
    assert "+447700900123" not in shown.text


async def test_a_message_shows_its_story_and_its_content(console: Visitor, caller: Caller) -> None:
    """The story tells each event in words, and the phone what the person read."""
    message_id = await sent(caller, **sms())
    shown = await console.get(f"/messages/{message_id}")

    assert shown.heading.startswith("Message to")
    assert "A message by SMS was accepted from its caller" in shown.text
    assert "The provider took the message." in shown.text
    assert "Tea is ready." in shown.text


async def test_a_code_is_never_shown(console: Visitor, caller: Caller) -> None:
    """The text of an SMS of the type OTP is not stored, so no page shows it (C-23)."""
    message_id = await sent(caller, **sms(text="Your code is 918273.", type="OTP"))
    shown = await console.get(f"/messages/{message_id}")

    assert 200 == shown.status
    assert "918273" not in shown.html


async def test_a_fallback_run_is_a_line_of_steps(console: Visitor, caller: Caller) -> None:
    """The primary, the reason and the step that followed stand in a line, with their states."""
    template = {"templateCode": "demo", "customParams": '{"name": "Asha", "order": "4711"}'}
    rcs = {
        "sender": "Watchword",
        "recipient": SILENT,
        "messageType": "template",
        "contentMessage": {"templateMessage": template},
    }
    step = {"sender": "Watchword", "type": "SI", "messageBody": "Order 4711 is on its way."}
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "60", "sms": step}
    message_id = await sent(caller, rcs=[rcs], fallback=fallback)
    before = await console.get(f"/messages/{message_id}")
    await caller.advance(60)
    after = await console.get(f"/messages/{message_id}")

    assert "First message: RCS" in before.text
    assert "Step 1 is due, because the time for the attempt before it is over." in after.text
    assert "Step 1: SMS" in after.text


async def test_earlier_versions_show_the_earlier_state(console: Visitor, caller: Caller) -> None:
    """The first version is the message before its provider took it."""
    message_id = await sent(caller, **sms())
    first = await console.get(f"/messages/{message_id}?version=1")
    last = await console.get(f"/messages/{message_id}")

    assert "Step 1 of" in first.text
    assert first.text != last.text


async def test_a_masked_auditor_sees_no_number_and_no_content(
    console_as: ConsoleAs, caller: Caller
) -> None:
    """A token that was not made with `clear` sees neither recipient nor text."""
    message_id = await sent(caller, **sms())
    auditor = await console_as(TokenRole.AUDITOR)
    for path in ("/messages", f"/messages/{message_id}"):
        shown = await auditor.get(path)
        assert 200 == shown.status
        assert "7700900123" not in shown.html
        assert "Tea is ready." not in shown.html


async def test_another_accounts_message_is_unknown(
    console_as: ConsoleAs, caller: Caller, service: Wired
) -> None:
    """A bound token finds no message of another account, neither in its list nor by its id."""
    message_id = await sent(caller, **sms())
    await service.accounts.create(By("", ADMIN, "req"), "acme")
    bound = await console_as(TokenRole.ADMIN, "acme")

    assert 404 == (await bound.get(f"/messages/{message_id}")).status
    assert message_id not in (await bound.get("/messages")).html


async def test_the_story_of_an_erased_person_is_shown_without_them(
    console: Visitor, caller: Caller
) -> None:
    """Every kind of content reads `(erased)` or has a note, and no page fails (C-74)."""
    person = "+4915112345610"
    session = {**WA, "recipient": [person], "type": "interactive", "interactive": INTERACTIVE}
    del session["template"]
    wrote = {"channel": "whatsapp", "from": person, "to": WA["sender"], "text": "Is it ready?"}
    reply = await caller.post("/sandbox/inbound", wrote)
    assert reply.status in (200, 201), reply.body
    bodies: list[dict[str, Any]] = [
        sms(person),
        {"wa": [{**DEMO_WA, "recipient": [person]}]},
        {"wa": [session]},
        {"rcs": [{**DEMO_RCS, "recipient": person}]},
    ]
    sent_ids = [await sent(caller, **each) for each in bodies]
    pin_id = await caller.created(person)
    (inbound,) = [
        each["messageId"] for each in await caller.history() if each["direction"] == "inbound"
    ]
    await caller.operated("POST", "/people/erase", {"account": "demo", "destination": person})
    for path in (
        *[f"/messages/{each}" for each in (*sent_ids, inbound)],
        f"/verifications/{pin_id}",
        "/messages",
        "/verifications",
    ):
        shown = await console.get(path)
        assert 200 == shown.status, path
        assert "(erased)" in shown.text
        assert "15112345610" not in shown.html
        assert "Asha" not in shown.html


async def test_a_step_that_fires_while_the_page_is_open_belongs_to_it(
    console: Visitor, caller: Caller
) -> None:
    """The page follows every stream of its story, so its next picture follows the step's message too."""
    step = {"sender": "Watchword", "type": "SI", "messageBody": "Order 4711 is on its way."}
    fallback = {"fallback_id": "demo", "fallback": True, "waittime": "60", "sms": step}
    silent = {**DEMO_RCS, "recipient": SILENT}
    message_id = await sent(caller, rcs=[silent], fallback=fallback)
    before = await console.get(f"/messages/{message_id}")
    await caller.advance(60)
    after = await console.get(f"/messages/{message_id}")

    assert [2, 3] == [each.html.count("stream=") for each in (before, after)]
