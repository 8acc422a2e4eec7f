"""The list of PINs, and the story of one (C-37, C-85)."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import ClientSession, CookieJar
from attrs import evolve

from tests.entrypoints.caller import DESTINATION, UNHURRIED, Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
OTHER = "+919812345611"


async def test_an_empty_list_says_what_to_do_first(console: Visitor) -> None:
    """It names the call that makes the first one."""
    shown = await console.get("/verifications")

    assert "Verifications" == shown.heading
    assert "There are no verifications yet." in shown.text
    assert "POST /v1/pins" in shown.text


async def test_the_list_shows_what_stands_in_the_api(console: Visitor, caller: Caller) -> None:
    """Destination, status, template and channels, the newest first."""
    first, second = await caller.created(), await caller.created(OTHER)
    shown = await console.get("/verifications")

    assert "2 verifications" in shown.text
    for said in (DESTINATION, OTHER, "pending", "SMS accepted"):
        assert said in shown.text
    assert shown.html.index(second) < shown.html.index(first)


async def test_a_search_by_number_leaves_no_number_in_an_address(
    console: Visitor, caller: Caller
) -> None:
    """The form is posted, and its answer is the list (C-73)."""
    found, other = await caller.created(), await caller.created(OTHER)
    await console.get("/verifications")
    shown = await console.post("/verifications", {"destination": "0091 98123 45610"})

    assert (200, "/console/verifications") == (shown.status, shown.url)
    assert found in shown.html
    assert other not in shown.html
    assert "98123" not in "".join(shown.links)
    assert "1 verification found" in shown.text


async def test_a_search_by_reference_in_several_accounts_asks_for_one(
    console: Visitor, caller: Caller
) -> None:
    """To look in a sandbox's own account, where "all" stands, would say that there is nothing (D-546)."""
    neighbour = await caller.neighbour("acme")
    await neighbour.created(referenceId="pot-7")
    await console.get("/verifications")
    wanted = await console.post("/verifications", {"referenceId": "pot-7"})
    found = await console.post("/verifications?account=acme", {"referenceId": "pot-7"})
    messages = await console.post("/messages", {"reference": "pot-7"})

    assert [400, 400] == [wanted.status, messages.status]
    assert "The account is required to search by a number or a reference." in wanted.text
    assert "1 verification found" in found.text


async def test_a_search_needs_no_choice_in_a_store_with_one_account(
    service: Wired, caller: Caller
) -> None:
    """There is no chooser above such a page, and the only account is the one that is searched (D-546)."""
    await caller.created(referenceId="pot-7")
    live = evolve(service, sandbox=None)
    async with (
        listening(live, console=console_routes(live)) as served,
        ClientSession(cookie_jar=CookieJar(unsafe=True)) as session,
    ):
        visitor = Visitor(session, served.endpoint)
        await visitor.sign_in(SANDBOX_ADMIN_TOKEN)
        await visitor.get("/verifications")
        pins = await visitor.post("/verifications", {"referenceId": "pot-7"})
        messages = await visitor.get("/messages?status=delivered")

    assert "1 verification found" in pins.text
    assert 200 == messages.status


async def test_a_search_by_reference(console: Visitor, caller: Caller) -> None:
    """It finds the PIN with exactly this reference."""
    found = await caller.created(referenceId="pot-7")
    await caller.created(OTHER, referenceId="pot-8")
    await console.get("/verifications")
    shown = await console.post("/verifications", {"referenceId": "pot-7"})

    assert "1 verification found" in shown.text
    assert found in shown.html


async def test_a_search_without_people_has_an_address_to_share(
    console: Visitor, caller: Caller
) -> None:
    """Its filters stand in the address, by the names of the API; empty ones are left out."""
    pin_id = await caller.created()
    await console.get("/verifications")
    shown = await console.post(
        "/verifications", {"status": "PENDING", "destination": "", "from": "2020-01-01T00:00"}
    )

    assert {"status": ["PENDING"], "from": ["2020-01-01T00:00"]} == parse_qs(
        urlsplit(shown.url).query
    )
    assert pin_id in shown.html
    assert shown.html == (await console.get(shown.url.removeprefix("/console"))).html
    assert pin_id not in (await console.get("/verifications?status=VERIFIED")).html


async def test_a_filter_that_cannot_be_read_is_named_beside_its_field(console: Visitor) -> None:
    """The form comes back as it was, with the words of the API."""
    shown = await console.get("/verifications?from=yesterday")

    assert 400 == shown.status
    assert "must be an ISO 8601 time" in shown.text
    assert "yesterday" == shown.values["from"]


async def test_pages_of_a_search_by_number_are_posted(console: Visitor, caller: Caller) -> None:
    """The button of the next page posts the same filters again."""
    for _ in range(3):
        await caller.created(OTHER)
    await console.get("/verifications")
    search = {"destination": OTHER, "pageSize": "2"}
    first = await console.post("/verifications", search)
    second = await console.post("/verifications", {**search, "page": "2"})
    (pager,) = [each for each in first.forms if "pageSize" in each.names]

    assert {"destination", "pageSize"} <= {*pager.names}
    assert "Page 1 of 2 · 3 in all" in first.text
    assert "Page 2 of 2 · 3 in all" in second.text


async def test_the_story_of_a_pin(console: Visitor, caller: Caller) -> None:
    """Who did what when, in words; codes and their hashes are `***`."""
    caller = await caller.with_template(**UNHURRIED)
    pin_id = await caller.created(referenceId="pot-7")
    await caller.verify(pin_id, await caller.wrong_code())
    await caller.verify(pin_id, await caller.code())
    shown = await console.get(f"/verifications/{pin_id}")

    assert f"PIN to {DESTINATION}" in shown.text
    for said in (
        "A PIN was made, and the first code is to go out by SMS.",
        "Code 1 was handed over: SMS took it.",
        "A wrong code was entered; ",
        "The right code was entered. Code 1 is verified.",
        "by API key ",
        "pot-7",
        "Code hash ***",
    ):
        assert said in shown.text
    assert await caller.code() not in shown.html


@pytest.mark.parametrize(("version", "status"), [(1, "PENDING"), (3, "PENDING"), (4, "VERIFIED")])
async def test_the_state_at_each_version(
    console: Visitor, caller: Caller, version: int, status: str
) -> None:
    """The log is replayed up to the version, and what it changed is marked."""
    caller = await caller.with_template(**UNHURRIED)
    pin_id = await caller.created()
    await caller.verify(pin_id, await caller.wrong_code())
    await caller.verify(pin_id, await caller.code())
    shown = await console.get(f"/verifications/{pin_id}?version={version}")
    was = shown.text[shown.text.index("The PIN as it was") :]

    assert f"Step {version} of 4" in was
    assert f"Status {status}" in was
    assert ("changed" in was) is (version > 1)


async def test_each_event_leads_to_the_state_after_it(console: Visitor, caller: Caller) -> None:
    """So the slider works without scripts."""
    pin_id = await caller.created()
    shown = await console.get(f"/verifications/{pin_id}")

    assert f"/console/verifications/{pin_id}?version=1" in shown.links
    assert f"/console/verifications/{pin_id}?version=2" in shown.links


async def test_attempts_at_channel_accounts(console: Visitor, caller: Caller) -> None:
    """A rejected channel says so, with its code."""
    tea = await caller.with_template({"channelType": "sms"}, await caller.rejecting_whatsapp())
    pin_id = await tea.created(channels=["whatsapp", "sms"])
    shown = await console.get(f"/verifications/{pin_id}")

    assert "WhatsApp rejected it" in shown.text
    assert "sandbox_rejected" in shown.text


async def test_a_receipt_is_shown(console: Visitor, caller: Caller) -> None:
    """With its status and its time."""
    pin_id = await caller.created()
    (handed,) = await caller.outbox()
    receipt = {"providerMessageId": handed["providerMessageId"], "status": "DELIVERED"}
    reply = await caller.post("/sandbox/receipts", receipt)
    assert 200 == reply.status, reply.body
    shown = await console.get(f"/verifications/{pin_id}")

    assert "The provider of SMS reports code 1 as delivered." in shown.text


async def test_an_auditor_sees_numbers_masked(console_as: ConsoleAs, caller: Caller) -> None:
    """In the list, in the story and in the state (C-84); with `clear`, in clear."""
    pin_id = await caller.created(referenceId="pot-7")
    auditor = await console_as(TokenRole.AUDITOR)
    seeing = await console_as(TokenRole.AUDITOR, clear=True)
    for path in (
        "/verifications",
        f"/verifications/{pin_id}",
        f"/verifications/{pin_id}?version=1",
    ):
        shown = await auditor.get(path)
        assert 200 == shown.status
        assert DESTINATION not in shown.html
        assert "+9198******10" in shown.html
        assert DESTINATION in (await seeing.get(path)).html


async def test_an_auditor_may_search(console_as: ConsoleAs, caller: Caller) -> None:
    """A search that is posted is a read (C-84)."""
    pin_id = await caller.created()
    auditor = await console_as(TokenRole.AUDITOR)
    await auditor.get("/verifications")
    shown = await auditor.post("/verifications", {"destination": DESTINATION})

    assert (200, True) == (shown.status, pin_id in shown.html)


async def test_a_bound_token_sees_its_account_alone(console_as: ConsoleAs, caller: Caller) -> None:
    """Another account's PIN is unknown, and stands in no list (C-84)."""
    neighbour = await caller.neighbour()
    theirs, ours = await neighbour.created(), await caller.created(OTHER)
    visitor = await console_as(TokenRole.AUDITOR, "neighbour", clear=True)
    listed = await visitor.get("/verifications")

    assert theirs in listed.html
    assert ours not in listed.html
    assert 200 == (await visitor.get(f"/verifications/{theirs}")).status
    assert 404 == (await visitor.get(f"/verifications/{ours}")).status
    assert 404 == (await visitor.get("/verifications?account=demo")).status


async def test_a_bound_token_sees_no_position(console_as: ConsoleAs, caller: Caller) -> None:
    """A position counts the events of all accounts, so it stands on no page of one of them (D-504)."""
    pin_id = await caller.created()
    path = f"/verifications/{pin_id}"
    bound = await (await console_as(TokenRole.OPERATOR, "demo")).get(path)
    free = await (await console_as(TokenRole.OPERATOR)).get(path)

    assert "Position in the log" in free.text
    assert "after=" in free.html
    assert "Position in the log" not in bound.text
    assert "after=" not in bound.html


async def test_an_unknown_pin(console: Visitor) -> None:
    """It is 404, in a page that says so."""
    shown = await console.get("/verifications/pin_unknown")

    assert (404, "There is nothing here") == (shown.status, shown.heading)


async def test_what_a_caller_wrote_is_text(console: Visitor, caller: Caller) -> None:
    """A reference with marks of HTML is shown as it is."""
    wrote = "<img src=x onerror=alert(1)>"
    pin_id = await caller.created(referenceId=wrote)
    for path in ("/verifications", f"/verifications/{pin_id}"):
        shown = await console.get(path)
        assert wrote in shown.text
        assert wrote not in shown.html
