"""A2 over HTTP: every row of its table, for RCS (SPEC 4 A2, C-24, C-54, C-64)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates.creating_rcs import (
    QUESTION,
    TEXT,
    created,
    fetch,
    fetched,
    review,
)

STORES = ("sqlite", "postgresql")


async def some(caller: Caller, *names: str, **around: str) -> None:
    """Create templates, one a second."""
    for name in names:
        await created(caller, {**TEXT, "name": name}, **around)
        await caller.advance(1)


def names(records: list[dict[str, Any]]) -> list[str]:
    """Return the names of templates."""
    return [each["name"] for each in records]


async def test_a_page_of_templates(caller: Caller) -> None:
    """Zero-based, the newest first; the answer repeats the page number (C-54)."""
    await some(caller, "a", "b", "c")
    page = (await fetch(caller, pageNo=1, limit=2)).json

    assert {"page_details", "data"} == page.keys()
    assert {"pageNo": 1, "limit": 2} == page["page_details"]
    assert ["a"] == names(page["data"])
    assert ["c", "b"] == names(await fetched(caller, limit=2))
    assert [] == await fetched(caller, pageNo=10**30)
    assert [] == await fetched(caller, limit=0)
    assert {"pageNo": 10**30, "limit": 10**30} == (
        await fetch(caller, pageNo=10**30, limit=10**30)
    ).json["page_details"]


async def test_both_paths_are_one_endpoint(caller: Caller) -> None:
    """C-19."""
    await some(caller, "a")

    assert (await fetch(caller)).json == (await fetch(caller, "/templates/fetch")).json


async def test_what_a_fetch_is_narrowed_to(caller: Caller) -> None:
    """Profile and name exactly; channel, type and status in any case; empty filters narrow nothing."""
    await some(caller, "a", "b")
    await some(caller, "a", sender_profile_name="Orchid")
    await some(caller, "c", message_type="OTP")
    await review(caller, "approve", "b")
    await review(caller, "reject", "c")

    for changes, found in (
        ({}, ["b", "a"]),
        ({"channel": "rcs", "messageType": "pROMOTIONAL"}, ["b", "a"]),
        ({"messageType": "otp"}, ["c"]),
        ({"messageType": "Transactional"}, []),
        ({"senderProfile": "Orchid"}, ["a"]),
        ({"senderProfile": "teahouse"}, []),
        ({"status": "approved"}, ["b"]),
        ({"status": "PENDING"}, ["a"]),
        ({"status": "Rejected", "messageType": "OTP"}, ["c"]),
        ({"templateName": "a"}, ["a"]),
        ({"templateName": "A"}, []),
        ({"templateName": "", "status": "", "createdDate": ""}, ["b", "a"]),
        ({"status": "approved", "templateName": "a"}, []),
    ):
        assert found == names(await fetched(caller, **changes)), changes


async def test_created_then_or_later(caller: Caller) -> None:
    """With a T or a blank, in the time that records show (C-54, D-65)."""
    await some(caller, "a", "b", "c")
    at = (await fetched(caller, templateName="b"))[0]["created_on"]

    assert ["c", "b"] == names(await fetched(caller, createdDate=at))
    assert ["c", "b"] == names(await fetched(caller, createdDate=at.replace("T", " ")))
    assert ["c", "b", "a"] == names(await fetched(caller, createdDate="2020-01-31T12:00:00"))
    assert [] == await fetched(caller, createdDate="2999-01-31 12:00:00")


async def test_what_is_wrong_is_named(caller: Caller) -> None:
    """Each field of the table: missing, of another type, or no such value (C-54)."""
    for field, wrong in (
        ("channel", (None, "", "SMS", 1)),
        ("senderProfile", (None, "", 1, "x" * 65)),
        ("messageType", (None, "", "Promo", 1)),
        ("pageNo", (None, -1, "0", 0.5, True)),
        ("limit", (None, -1, "25", 1.5, False)),
        ("status", ("Draft", 1, [])),
        ("createdDate", ("2031-05-04", "2031-05-04T12:00", "2031-02-30T12:00:00", 0)),
        ("createdDate", ("2031-05-04T12:00:00Z", "0000-01-01T00:00:00", "2031-05-04t12:00:00")),
        ("templateName", (1, ["a"])),
    ):
        for value in wrong:
            reply = await fetch(caller, **{field: value})
            assert field in reply.wrong, (field, value)
    everything = {"status": "x", "createdDate": "x", "templateName": 1, "pageNo": -1, "limit": -1}

    assert sorted(everything) == sorted((await fetch(caller, **everything)).wrong)
    assert ["body"] == (
        await caller.using(None).post("/templates/fetch", [], headers={"apikey": str(caller.key)})
    ).wrong


async def test_a_limit_above_100_serves_100(caller: Caller) -> None:
    """C-54."""
    for number in range(101):
        await created(caller, {**TEXT, "name": f"teas_{number}"})

    assert 100 == len(await fetched(caller, limit=101))
    assert 1 == len(await fetched(caller, limit=100, pageNo=1))


async def test_accounts_see_their_own(caller: Caller) -> None:
    """With any filters (C-7)."""
    neighbour = await caller.neighbour()
    await some(caller, "mine")
    await some(neighbour, "theirs")

    assert ["mine"] == names(await fetched(caller))
    assert ["theirs"] == names(await fetched(neighbour))
    assert [] == await fetched(neighbour, templateName="mine")


async def test_a_key_comes_before_the_body(caller: Caller) -> None:
    """401 without one, 403 without the scope (C-8)."""
    pins = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})
    wrong = {**QUESTION, "channel": 1}

    assert (401, "unauthorized") == (await fetch(caller.using("none"), **wrong)).refusal
    assert (403, "forbidden") == (await fetch(caller.using(pins["key"]), **wrong)).refusal
