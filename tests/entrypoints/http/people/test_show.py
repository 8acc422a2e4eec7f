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
