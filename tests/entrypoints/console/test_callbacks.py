"""The pages of callback endpoints: made with their secret shown once, tested, and looked into."""

from __future__ import annotations

import re
from html import unescape

import pytest
from attrs import evolve
from yarl import URL

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.console.visitor import Visitor
from tests.entrypoints.receiving import Receiver
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.settings import Settings

STORES = ("memory",)
NEW = "/callbacks/new?account=demo"
AGAIN = re.compile(r'hx-get="([^"]*)" hx-trigger="load delay:1s"')


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Return the settings of a sandbox that may call loopback."""
    return evolve(settings, allow_private_urls=True)


async def made(console: Visitor, caller: Caller, url: str, *events: str) -> str:
    """Make an endpoint by the form, and return its id."""
    fields = [("url", url), *(("events", each) for each in events or ("*",))]
    page = await console.post(NEW, fields)
    assert 200 == page.status, page.text
    listed = await caller.operated("GET", "/callbacks?account=demo")
    return str(listed["data"][0]["id"])


async def test_an_empty_list_says_what_to_do_first(console: Visitor) -> None:
    """By the form, or by the command."""
    page = await console.get("/callbacks")

    assert "Callbacks" == page.heading
    assert "watchword callbacks create" in page.text
    assert any("/callbacks/new" in each for each in page.links)


async def test_the_secret_of_an_endpoint_is_shown_once(
    console: Visitor, caller: Caller, receiver: Receiver
) -> None:
    """On the page after the form, and never again."""
    page = await console.post(NEW, [("url", receiver.url), ("events", "pin.*")])
    listed = await console.get("/callbacks")
    (row,) = (await caller.operated("GET", "/callbacks?account=demo"))["data"]
    one = await console.get(f"/callbacks/{row['id']}")

    assert "whsec_" in page.text
    assert "whsec_" not in listed.html + one.html
    assert ["pin.*"] == row["events"]
    assert receiver.url in listed.text


async def test_what_is_wrong_stands_beside_its_field(console: Visitor) -> None:
    """The form comes back with what was filled in."""
    page = await console.post(NEW, [("url", "tea"), ("events", "pin.*"), ("secret", "short")])

    assert 400 == page.status
    assert "tea" == page.values["url"]
    assert "url" in page.text
    assert "secret" in page.text


async def test_a_test_event_arrives_and_is_listed(
    console: Visitor, caller: Caller, receiver: Receiver
) -> None:
    """With its request and its answer; it can be delivered again."""
    endpoint_id = await made(console, caller, receiver.url, "pin.verified")
    page = await console.post(f"/callbacks/{endpoint_id}/test")
    (came,) = await receiver.until(1)
    await caller.advance(1)
    listed = await console.get(f"/callbacks/{endpoint_id}")
    path = f"/callbacks/{endpoint_id}/deliveries/{came.id}"
    one = await console.get(path)
    again = await console.post(f"{path}/redeliver")
    repeated = (await receiver.until(2))[1]

    assert "The test event is on its way." in page.text
    assert "callback.test" in listed.text
    assert "Delivery of callback.test" == one.heading
    assert "204 No Content" in one.text
    assert endpoint_id in one.text
    assert "attempted again" in again.text
    assert came.id == repeated.id


async def test_the_list_looks_again_for_a_test_event(
    console: Visitor, caller: Caller, receiver: Receiver
) -> None:
    """Until the delivery was attempted (D-548)."""
    endpoint_id = await made(console, caller, receiver.url)
    sent = (await console.post(f"/callbacks/{endpoint_id}/test")).url.removeprefix("/console")
    (came,) = await receiver.until(1)
    await caller.advance(1)
    delivered = await console.get(sent)

    assert {"sent": came.id, "looks": "5"}.items() <= URL(sent).query.items()
    assert "204 No Content" in delivered.text
    assert not AGAIN.search(delivered.html)


async def test_the_list_does_not_look_for_ever(
    console: Visitor, caller: Caller, receiver: Receiver
) -> None:
    """A test event that is never delivered is looked for five times, whatever the address says."""
    endpoint_id = await made(console, caller, receiver.url)
    page = await console.get(f"/callbacks/{endpoint_id}?sent=dlv_0&looks=1000")
    looks = 0
    while found := AGAIN.search(page.html):
        looks += 1
        page = await console.get(unescape(found[1]).removeprefix("/console"))

    assert 5 == looks
    assert not AGAIN.search((await console.get(f"/callbacks/{endpoint_id}?looks=x")).html)


async def test_a_failed_delivery_says_why(
    console: Visitor, caller: Caller, receiver: Receiver
) -> None:
    """The status that was answered, and when it is tried again."""
    receiver.status, receiver.says = 503, "<b>the till is closed</b>"
    endpoint_id = await made(console, caller, receiver.url)
    await console.post(f"/callbacks/{endpoint_id}/test")
    (came,) = await receiver.until(1)
    await caller.advance(1)
    one = await console.get(f"/callbacks/{endpoint_id}/deliveries/{came.id}")

    assert "503 Service Unavailable" in one.text
    assert "not_2xx" in one.text
    assert "<b>the till is closed</b>" in one.text
    assert "<b>" not in one.html
    assert "pending" in one.text


async def test_an_endpoint_is_removed(console: Visitor, caller: Caller, receiver: Receiver) -> None:
    """Its page says so, and has no forms any more."""
    endpoint_id = await made(console, caller, receiver.url)
    page = await console.post(f"/callbacks/{endpoint_id}/remove")

    assert "Removed." in page.text
    assert not [each for each in page.forms if endpoint_id in each.action]


async def test_operators_are_told_of_heads(console: Visitor, caller: Caller) -> None:
    """An endpoint without an account takes events of the log alone."""
    fields = [("url", "http://127.0.0.1:9/heads"), ("events", "log.*"), ("account", "")]
    page = await console.post("/callbacks/new", fields)
    (row,) = (await caller.operated("GET", "/callbacks"))["data"]

    assert (200, None) == (page.status, row["accountId"])


async def test_an_auditor_looks_and_does_not_touch(
    console: Visitor, console_as: ConsoleAs, caller: Caller, receiver: Receiver
) -> None:
    """No form stands on the pages, and none can be posted."""
    endpoint_id = await made(console, caller, receiver.url)
    visitor = await console_as(TokenRole.AUDITOR)
    one = f"/callbacks/{endpoint_id}"
    page = await visitor.get(one)
    acts = (NEW, f"{one}/test", f"{one}/remove", f"{one}/deliveries/dlv_0/redeliver")

    assert [] == [each.action for each in page.forms if endpoint_id in each.action]
    assert [403] * 4 == [(await visitor.post(each)).status for each in acts]


async def test_an_auditor_reads_deliveries_masked(
    console: Visitor, console_as: ConsoleAs, caller: Caller, receiver: Receiver
) -> None:
    """The address may have a secret in it, and the answer may quote a person."""
    receiver.status, receiver.says = 422, "no such person"
    endpoint_id = await made(console, caller, receiver.url)
    await console.post(f"/callbacks/{endpoint_id}/test")
    (came,) = await receiver.until(1)
    await caller.advance(1)
    path = f"/callbacks/{endpoint_id}/deliveries/{came.id}"
    masked = await (await console_as(TokenRole.AUDITOR)).get(path)
    clear = await (await console_as(TokenRole.AUDITOR, clear=True)).get(path)

    assert "Delivery of callback.test" == masked.heading
    for each in (receiver.url, "no such person"):
        assert each in clear.text
        assert each not in masked.html


async def test_endpoints_without_their_addresses_are_told_apart(
    console: Visitor, console_as: ConsoleAs, caller: Caller, receiver: Receiver
) -> None:
    """Who sees no address sees the ids, in the list and above a delivery; there is nothing to copy."""
    ids = [await made(console, caller, receiver.url) for _ in range(2)]
    auditor = await console_as(TokenRole.AUDITOR)
    listed = await auditor.get("/callbacks")
    one = await auditor.get(f"/callbacks/{ids[0]}")

    assert "***" not in listed.text
    assert [] == [each for each in ids if each not in listed.text]
    assert 'data-copy="***"' not in one.html


async def test_an_operator_is_on_the_record(
    console_as: ConsoleAs, caller: Caller, receiver: Receiver
) -> None:
    """What is made, tested and delivered again names the token."""
    visitor = await console_as(TokenRole.OPERATOR)
    endpoint_id = await made(visitor, caller, receiver.url)
    await visitor.post(f"/callbacks/{endpoint_id}/test")
    (came,) = await receiver.until(1)
    await visitor.post(f"/callbacks/{endpoint_id}/deliveries/{came.id}/redeliver")
    events = await caller.events(endpoint_id)

    assert ["CallbackEndpointCreated", "CallbackEndpointTested", "CallbackRedelivered"] == [
        each["type"] for each in events
    ]
    assert {True} == {each["actor"].startswith("tok_") for each in events}


async def test_a_bound_token_sees_its_account_alone(
    console: Visitor, console_as: ConsoleAs, caller: Caller, receiver: Receiver
) -> None:
    """Another account's endpoints and deliveries are 404."""
    endpoint_id = await made(console, caller, receiver.url)
    await console.post(f"/callbacks/{endpoint_id}/test")
    (came,) = await receiver.until(1)
    await caller.operated("POST", "/accounts", {"name": "other"})
    visitor = await console_as(TokenRole.ADMIN, "other")
    one = f"/callbacks/{endpoint_id}"
    delivery = f"{one}/deliveries/{came.id}"
    statuses = [(await visitor.get(each)).status for each in (one, delivery)]
    statuses += [
        (await visitor.post(each)).status
        for each in (f"{one}/test", f"{one}/remove", f"{delivery}/redeliver")
    ]

    assert [404] * 5 == statuses
    assert "No endpoint is told" in (await visitor.get("/callbacks")).text
