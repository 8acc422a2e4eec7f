"""WhatsApp templates over HTTP: created, reviewed by operators, and fetched (SPEC 4 C, C-26, C-36)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given as generated
from hypothesis import settings as profile
from hypothesis import strategies as st

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.message_templates.creating_whatsapp import (
    CODE,
    FULL,
    PICTURE,
    TEMPLATES,
    TEXT,
    create,
    created,
    fetched,
    given,
    review,
)
from tests.whatsapp_templates import templates
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.http.listener.bodies import MAX_BODY
from watchword.entrypoints.settings import Settings

STORES = ("sqlite", "postgresql")


async def test_a_template_of_each_kind_comes_back_as_it_was_given(caller: Caller) -> None:
    """201 with id, status and category (C-26); approved; and fetched in Meta's shape (C-54)."""
    made = {name: await created(caller, template) for name, template in TEMPLATES.items()}
    for name, template in TEMPLATES.items():
        assert {"id", "status", "category"} == made[name].keys()
        assert ("Pending", template["category"]) == (made[name]["status"], made[name]["category"])
        assert 200 == (await review(caller, "approve", name)).status
    records = await fetched(caller, status="approved")

    assert [*TEMPLATES.values()][::-1] == [given(each) for each in records]
    for record in records:
        assert {"id", "status", "created_on", "updated_on"} == record.keys() - given(record).keys()
        assert (made[record["name"]]["id"], "Approved") == (record["id"], record["status"])
        assert len("2031-05-04T12:00:00.250") == len(record["created_on"])
        assert record["created_on"] <= record["updated_on"]


async def test_fetch_narrows_to_a_category(caller: Caller) -> None:
    """The category is A2's `messageType`, in any capitals; a sender profile narrows nothing (C-54)."""
    for template in (TEXT, FULL, CODE):
        await created(caller, template)

    async def names(**asked: Any) -> list[str]:
        return [each["name"] for each in await fetched(caller, **asked)]

    assert ["code"] == await names(messageType="Authentication")
    assert ["new_teas"] == await names(messageType="MARKETING", senderProfile="TeaHouse")
    assert ["code", "new_teas", "tea_sent"] == await names(channel="wa")
    assert [] == await names(status="Approved")


async def test_everything_that_is_wrong_is_told_at_once(caller: Caller) -> None:
    """The answer has the messaging form and the paths of Meta's form; nothing is stored."""
    broken = {
        "name": "New Teas",
        "category": "MARKETING",
        "components": [
            {"type": "BODY", "text": "{{2}}"},
            {"type": "BUTTONS", "buttons": [{"type": "URL", "text": "x" * 26, "url": "tea"}]},
        ],
    }
    reply = await create(caller, broken)

    assert reply.wrong == [
        *("name", "language", "components[0].text"),
        *("components[1].buttons[0].text", "components[1].buttons[0].url"),
    ]
    assert [] == await fetched(caller)


async def test_a_name_is_taken_once_in_a_language(caller: Caller) -> None:
    """409 for the same account; another language and another account are free."""
    neighbour = await caller.neighbour()
    await created(caller, TEXT)
    again = await create(caller, {**FULL, "name": "tea_sent", "language": "en_US"})

    assert (409, "duplicate_name") == again.refusal
    await created(caller, {**TEXT, "language": "en"})
    await created(neighbour, TEXT)
    assert 2 == len(await fetched(caller))
    assert 1 == len(await fetched(neighbour))


async def test_who_comes_first_has_the_name(caller: Caller) -> None:
    """One of many concurrent creates succeeds."""
    replies = await asyncio.gather(*(create(caller, TEXT) for _ in range(8)))

    assert [201, *[409] * 7] == sorted(reply.status for reply in replies)


async def test_operators_approve_and_reject(caller: Caller) -> None:
    """200 with the record; the last review stands, and a rejection says why (C-36)."""
    await created(caller, TEXT)
    approved = (await review(caller, "approve", reason="Fine.")).json
    rejected = (await review(caller, "reject", reason="Shouts.", account="demo")).json

    assert ("Approved", TEXT) == (approved["status"], given(approved))
    assert "rejected_reason" not in approved
    assert ("Rejected", "Shouts.") == (rejected["status"], rejected["rejected_reason"])
    assert rejected == (await review(caller, "reject", reason="Again.")).json
    (record,) = await fetched(caller)
    assert {"accountId"} == rejected.keys() - record.keys()
    assert rejected == {**record, "accountId": rejected["accountId"]}
    listed = await caller.operated("GET", "/wa-templates?account=demo")
    assert [rejected["id"]] == [each["id"] for each in listed["data"] if each["name"] != "demo"]
    assert rejected in listed["data"]


async def test_a_name_in_several_languages_needs_one(caller: Caller) -> None:
    """400 that names them; with one of them it is clear (D-92)."""
    for language in ("pt_BR", "en"):
        await created(caller, {**TEXT, "language": language})
    unclear = await review(caller, "approve")
    approved = await review(caller, "approve", language="en")

    assert ["language"] == unclear.wrong
    assert "en, pt_BR" in unclear.body.decode()
    assert ("en", "Approved") == (approved.json["language"], approved.json["status"])
    assert {"pt_BR": "Pending", "en": "Approved"} == {
        each["language"]: each["status"] for each in await fetched(caller)
    }


async def test_a_review_of_what_is_not_there_is_404(caller: Caller) -> None:
    """Another account, language or name, and an RCS template, are all 404 (C-7)."""
    await caller.neighbour("orchid")
    await created(caller, TEXT)

    for name, body in (
        ("none", {}),
        ("tea_sent", {"language": "en"}),
        ("tea_sent", {"account": "orchid"}),
        ("tea_sent", {"account": "orchid", "language": "en_US"}),
        ("%00", {}),
    ):
        assert (404, "template_not_found") == (
            await review(caller, "approve", name, **body)
        ).refusal
    assert ["reason"] == (await review(caller, "reject", reason="x" * 1_001)).wrong
    assert "Pending" == (await fetched(caller))[0]["status"]


async def test_operators_alone_review(caller: Caller) -> None:
    """An API key opens nothing under `/admin/v1`."""
    refused = await caller.post("/admin/v1/wa-templates/tea_sent/approve", {})

    assert (401, "unauthorized") == refused.refusal
    assert (401, "unauthorized") == (await caller.get("/admin/v1/wa-templates")).refusal


async def test_a_key_comes_before_the_body(caller: Caller) -> None:
    """401 and 403 in the messaging form, for any body (C-8)."""
    pins = await caller.operated("POST", "/api-keys", {"name": "pins", "scopes": ["pins"]})

    assert (401, "unauthorized") == (await create(caller.using("none"), {})).refusal
    assert (403, "forbidden") == (await create(caller.using(pins["key"]), {})).refusal


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"", (400, "validation_failed")),
        (b"{", (400, "validation_failed")),
        (b"[]", (400, "validation_failed")),
        (b'{"name": "a", "name": "b"}', (400, "validation_failed")),
        (b'{"name": "\\ud800"}', (400, "validation_failed")),
        (b'{"name": "\\u0000"}', (400, "validation_failed")),
        (b'{"name": NaN}', (400, "validation_failed")),
        (b"[" * 200 + b"]" * 200, (400, "validation_failed")),
        (b"x" * (MAX_BODY + 1), (413, "payload_too_large")),
    ],
    ids=range(9),
)
async def test_a_hostile_body_is_refused(
    caller: Caller, data: bytes, refusal: tuple[int, str]
) -> None:
    """It is read as strictly as everywhere (C-9, C-65)."""
    assert refusal == (await create(caller, None, data=data)).refusal


async def test_an_example_of_ours_is_one_that_the_account_uploaded(caller: Caller) -> None:
    """An id of a medium that is not there is named; another provider's handle is anyone's (D-92)."""
    path = "components[1].example.header_handle[0]"
    lost = json.loads(json.dumps(PICTURE).replace("4::aW", "med_0"))

    assert [path] == (await create(caller, lost)).wrong
    await created(caller, PICTURE)


async def test_the_log_tells_who_did_what(caller: Caller) -> None:
    """The create's actor is the key, the review's the operator (C-38)."""
    made = await created(caller, TEXT)
    await review(caller, "reject", reason="Shouts.")
    events = (await caller.operated("GET", f"/streams/{made['id']}/events"))["data"]

    assert ["WhatsappTemplateCreated", "WhatsappTemplateRejected"] == [
        each["type"] for each in events
    ]
    assert events[0]["actor"].startswith("key_")
    assert ("admin", "Shouts.") == (events[1]["actor"], events[1]["data"]["reason"])


@profile(max_examples=8, deadline=None)
@generated(st.lists(templates, min_size=6, max_size=12))
def test_any_valid_template_comes_back_unchanged(drawn: list[dict[str, Any]]) -> None:
    """Create, approve and fetch, in all categories (issue 7)."""
    named = [{**each, "name": f"{each['name']}_{index}"} for index, each in enumerate(drawn)]

    async def round_trip() -> list[dict[str, Any]]:
        async with (
            wired(Settings(sandbox=True, store="memory://")) as service,
            listening(service) as caller,
        ):
            for template in named:
                await created(caller, template)
                assert 200 == (await review(caller, "approve", template["name"])).status
            return await fetched(caller, status="Approved")

    assert named[::-1] == [given(each) for each in asyncio.run(round_trip())]
