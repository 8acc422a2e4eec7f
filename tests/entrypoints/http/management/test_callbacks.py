"""Callbacks over HTTP: created, delivered, listed, redelivered, removed (C-33, C-46, C-47, C-53)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE, Serving
from tests.entrypoints.receiving import Receiver, endpoint
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

STORES = EVERY_STORE


@pytest.fixture
async def caller(serving: Serving) -> AsyncIterator[Caller]:
    """Yield a client of a service that may call loopback."""
    async with serving(allow_private_urls=True) as client:
        yield client


async def test_what_happens_is_told_and_can_be_told_again(
    caller: Caller, receiver: Receiver
) -> None:
    """Signed, in the background; each delivery is on the list, and comes again on demand."""
    made = await endpoint(caller, receiver, events=["pin.issued", "pin.verified"])
    pin = await caller.created()
    await receiver.until(1)
    await caller.verify(pin, await caller.code())
    came = await receiver.until(2)
    said = [each.verified(made["secret"]) for each in came]
    path = f"/callbacks/{made['id']}/deliveries"
    await caller.advance(1)
    listed = await caller.operated("GET", path)
    again = await caller.operated("POST", f"{path}/{came[0].id}/redeliver")
    repeated = (await receiver.until(3))[2]
    await caller.advance(1)
    delivered = await caller.operated("GET", path)

    assert ["pin.issued", "pin.verified"] == [each["type"] for each in said]
    assert {pin} == {each["data"]["pinId"] for each in said}
    assert 2 == listed["total"]
    assert {each.id for each in came[:2]} == {each["id"] for each in listed["data"]}
    assert [("delivered", 1, 204, None)] * 2 == [
        (each["status"], each["attempts"], each["lastStatus"], each["error"])
        for each in listed["data"]
    ]
    events = {each["eventId"] for each in await caller.events(pin)}
    assert {each["eventId"] for each in listed["data"]} <= events
    assert "pending" == again["status"]
    assert (came[0].id, came[0].body) == (repeated.id, repeated.body)
    assert {1, 2} == {each["attempts"] for each in delivered["data"]}


async def test_a_receiver_that_is_down_is_told_when_it_is_up(
    caller: Caller, receiver: Receiver
) -> None:
    """Under the same id, after a day by the clock."""
    made = await endpoint(caller, receiver, events=["pin.issued"])
    receiver.status = 503
    await caller.created()
    await receiver.until(1)
    for _ in range(3):
        await caller.advance(8 * 60 * 60)
    receiver.status = 200
    await caller.advance(10 * 60 * 60)
    (delivery,) = (await caller.operated("GET", f"/callbacks/{made['id']}/deliveries"))["data"]

    assert ("delivered", 200) == (delivery["status"], delivery["lastStatus"])
    # A call that is under way when the clock is moved counts as cut off, and is made again.
    assert 3 <= delivery["attempts"] <= len(receiver.came)
    assert {delivery["id"]} == {each.id for each in receiver.came}
    for each in receiver.came:
        each.verified(made["secret"])


async def test_the_secret_is_told_once(caller: Caller, receiver: Receiver) -> None:
    """Only the answer that creates it contains it; no list and no event does."""
    made = await endpoint(caller, receiver)
    shown = await caller.operated("GET", f"/callbacks/{made['id']}")
    listed = await caller.operated("GET", "/callbacks?account=demo")
    log = await caller.operate("GET", "/events?limit=1000")

    assert made["secret"].startswith("whsec_")
    assert {**made, "secret": "***"} == shown
    assert [shown] == listed["data"]
    assert ["*"] == made["events"]
    assert made["secret"].removeprefix("whsec_").encode() not in log.body


async def test_a_removed_endpoint_is_told_no_more(caller: Caller, receiver: Receiver) -> None:
    """It stays on the list as removed; nothing is redelivered to it."""
    made = await endpoint(caller, receiver, events=["pin.issued"])
    await caller.created()
    (came,) = await receiver.until(1)
    one = f"/callbacks/{made['id']}"
    removed = await caller.operated("DELETE", one)
    twice = await caller.operated("DELETE", one)
    await caller.created("+919812345611")
    await caller.advance(60)
    refused = await caller.operate("POST", f"{one}/deliveries/{came.id}/redeliver")

    assert removed["removedAt"] is not None
    assert removed == twice == await caller.operated("GET", one)
    assert (409, "callback_removed") == refused.refusal
    assert 1 == len(receiver.came)


async def test_accounts_are_told_of_their_own(caller: Caller, receiver: Receiver) -> None:
    """No account receives another's events (C-7)."""
    neighbour = await caller.neighbour()
    await endpoint(caller, receiver, account="neighbour", events=["pin.issued"])
    await caller.created()
    pin = await neighbour.created()
    (came,) = await receiver.until(1)
    await caller.advance(1)

    assert pin == came.said["data"]["pinId"]
    assert 1 == len(receiver.came)


async def test_an_endpoint_is_a_stream(caller: Caller, receiver: Receiver) -> None:
    """Its URL is veiled like personal data: its path may be its only protection."""
    made = await endpoint(caller, receiver)
    masked = await caller.operated("GET", f"/streams/{made['id']}/events?mask=true")

    assert ["CallbackEndpointCreated"] == await caller.story(made["id"])
    assert "***" == masked["data"][0]["data"]["url"]


async def test_management_is_for_operators(caller: Caller) -> None:
    """An API key opens none of it."""
    for method, path in (("GET", "/callbacks"), ("DELETE", "/callbacks/cbk_0")):
        refused = await caller.ask(method, f"/admin/v1{path}")
        assert (401, "unauthorized") == refused.refusal
    unknown = await caller.using(SANDBOX_ADMIN_TOKEN).ask("GET", "/admin/v1/callbacks/cbk_0")
    assert (404, "callback_not_found") == unknown.refusal
