"""Erasures of people over HTTP (C-74, C-100)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import EVERY_STORE

STORES = EVERY_STORE
ANNA, BERT = "+91 98123 45610", "+919812345699"
ERASE = "/people/erase"


async def erase(caller: Caller, destination: str, **more: object) -> dict[str, Any]:
    """Erase a person of the demo account and return the certificate."""
    return await caller.operated(
        "POST", ERASE, {"account": "demo", "destination": destination, **more}
    )


async def test_an_erasure_ends_the_pins_of_the_person(caller: Caller) -> None:
    """Verify and resend answer 410 with the reason; a verified PIN and other people's stay."""
    tea = await caller.with_template(resendCooldown="0s")
    verified = await tea.created(ANNA)
    await tea.verify(verified, await tea.code(ANNA))
    superseded, live = await tea.created(ANNA), await tea.created(ANNA)
    others = await tea.created(BERT)
    code = (await tea.codes(ANNA))[-1]
    certificate = await erase(caller, "00919812345610")

    assert (True, True) == (certificate["erased"], certificate["finished"])
    for pin in (superseded, live):
        for reply in (await tea.verify(pin, code), await tea.resend(pin)):
            assert (410, "pin_expired") == reply.refusal
            assert {"reason": "erased"} == reply.error["details"]
    assert (409, "pin_already_verified") == (await tea.verify(verified, code)).refusal
    assert 200 == (await tea.verify(others, await tea.code(BERT))).status


async def test_a_certificate_counts_what_there_is(caller: Caller) -> None:
    """A dry run counts as the erasure does, and leaves the code to be verified."""
    pin = await caller.created(ANNA)
    await caller.verify(pin, "nonsense")
    trial = await erase(caller, ANNA, dryRun=True)
    still_there = await caller.resend(pin)
    erased = await erase(caller, ANNA)

    assert (False, True) == (trial["erased"], trial["finished"])
    assert "position" not in trial
    assert {"pins": 1, "messages": 0, "events": 3, "rows": 1, "deliveries": 0} == trial["counts"]
    assert 410 != still_there.status
    assert trial["personId"] == erased["personId"]
    # The erasure's own end of the PIN is one more event.
    assert {**trial["counts"], "events": 4} == erased["counts"]
    assert (await caller.events(pin))[-1]["type"] == "PinErased"


async def test_no_search_finds_an_erased_person(caller: Caller) -> None:
    """A search by the number finds nothing, as for any stranger."""
    await caller.created(ANNA)
    search = "/verifications?account=demo&destination=%2B919812345610"
    before = (await caller.operated("GET", search))["data"]
    await erase(caller, ANNA)

    assert 1 == len(before)
    assert [] == (await caller.operated("GET", search))["data"]


async def test_whoever_comes_back_is_somebody_new(caller: Caller) -> None:
    """A new PIN for the number works, and belongs to a new person."""
    await caller.created(ANNA)
    first = await erase(caller, ANNA)
    again = await erase(caller, ANNA)
    pin = await caller.created(ANNA)
    verified = await caller.verify(pin, (await caller.codes(ANNA))[-1])
    second = await erase(caller, ANNA)

    assert (False, True) == (again["erased"], again["finished"])
    assert {"personId", "position"}.isdisjoint(again)
    assert 200 == verified.status
    assert second["erased"]
    assert first["personId"] != second["personId"]


@pytest.mark.parametrize("spelling", ["whatsapp:+919812345610", "+91\u00a098123\u00a045610"])
async def test_an_erasure_reaches_spellings_that_no_channel_delivers_to(
    caller: Caller, spelling: str
) -> None:
    """
    A provider writes its scheme before a sender, and a send to a copied number is rejected.

    Both are stored with the number, so its erasure ends them, too (D-365).
    """
    inbound = {"channel": "wa", "from": spelling, "to": "+15550100", "text": "Tea?"}
    await caller.post("/sandbox/inbound", inbound)
    sms = {"sender": "Watchword", "type": "SI", "messageBody": "Tea.", "recipient": spelling}
    rejected = await caller.sent(sms=[sms])
    certificate = await erase(caller, ANNA)
    left = await caller.operated("GET", "/events?limit=1000")

    assert "invalid_recipient" == rejected["data"][0]["errorCode"]
    assert (True, 2) == (certificate["erased"], certificate["counts"]["messages"])
    assert "45610" not in str(left)


@pytest.mark.stores("memory")
async def test_what_cannot_be_erased_is_refused(caller: Caller) -> None:
    """No destination, one that is too long, and an unknown account."""
    refusals = [
        (await caller.operate("POST", ERASE, {"account": account, "destination": to})).refusal
        for account, to in (("demo", ""), ("demo", "9" * 65), ("nobody", ANNA))
    ]

    assert [
        (400, "validation_failed"),
        (400, "validation_failed"),
        (404, "account_not_found"),
    ] == refusals


@pytest.mark.stores("memory")
@pytest.mark.parametrize("slip", ["dryrun", "dry_run", "dryRun "])
async def test_a_misspelt_dry_run_erases_nobody(caller: Caller, slip: str) -> None:
    """Nothing brings a person back, so an unknown member is 400 by name, whoever asks (D-367)."""
    await caller.created(ANNA)
    body = {"account": "demo", "destination": ANNA, slip: True}
    refused = await caller.operate("POST", ERASE, body)

    assert [slip] == refused.wrong
    assert (await erase(caller, ANNA))["erased"]


@pytest.mark.stores("memory")
async def test_a_pasted_destination_is_the_same_person(caller: Caller) -> None:
    """White space around a number or an address finds its person, in erasures and in searches (C-28)."""
    await caller.created(ANNA)
    await caller.created("anna@tea.example", channels=["email"])
    for spelled in ("\t+919812345610\n", " Anna@tea.example "):
        found = await caller.operated("POST", "/verifications/search", {"destination": spelled})

        assert 1 == found["total"]
        assert (await erase(caller, spelled))["erased"]
