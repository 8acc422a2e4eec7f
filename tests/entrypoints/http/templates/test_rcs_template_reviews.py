"""The approval of RCS templates by operators, over HTTP (C-36, C-55)."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates.creating_rcs import TEXT, created, fetched, review

STORES = ("sqlite", "postgresql")
DRAFT = {**TEXT, "templateState": "Create"}


async def test_a_template_is_approved_and_rejected(caller: Caller) -> None:
    """200 with the record; the last review stands, and says why."""
    record = await created(caller, TEXT)
    await caller.advance(1)
    approved = await review(caller, "approve")
    again = await review(caller, "approve", reason="Again.")
    rejected = await review(caller, "reject", reason="Shouts.")

    ids = {"id": approved.json["id"], "accountId": approved.json["accountId"]}
    changed = {"status": "Approved", "updated_on": approved.json["updated_on"]}
    assert (200, {**ids, **record, **changed}) == (approved.status, approved.json)
    assert approved.json["updated_on"] > record["updated_on"]
    assert approved.json == again.json
    assert ("Rejected", "Shouts.") == (rejected.json["status"], rejected.json["reason"])
    assert ["Rejected"] == [each["status"] for each in await fetched(caller)]
    assert [
        "RcsTemplateCreated",
        "RcsTemplateSubmitted",
        "RcsTemplateApproved",
        "RcsTemplateRejected",
    ] == await caller.story(ids["id"])


async def test_a_draft_is_submitted_first(caller: Caller) -> None:
    """409 before that, with the next step (C-55)."""
    await created(caller, DRAFT)
    refused = await review(caller, "approve")
    rejected = await review(caller, "reject")
    submitted = await review(caller, "submit")

    assert (409, "template_not_submitted") == refused.refusal == rejected.refusal
    assert "The template 'teas' is a draft. Submit it first." == refused.error["message"]
    assert ("Submit", "Pending") == (submitted.json["templateState"], submitted.json["status"])
    assert submitted.json == (await review(caller, "submit")).json
    assert "Approved" == (await review(caller, "approve")).json["status"]


async def test_a_name_under_several_profiles(caller: Caller) -> None:
    """400 names the profiles; with one of them it is clear which template is meant."""
    await created(caller, TEXT)
    await created(caller, TEXT, sender_profile_name="Orchid")
    unclear = await review(caller, "approve")

    assert ["senderProfile"] == unclear.wrong
    assert "Orchid, TeaHouse" in unclear.error["details"]["fields"][0]["message"]
    assert (
        "Orchid" == (await review(caller, "approve", senderProfile="Orchid")).json["senderProfile"]
    )
    assert ["Pending"] == [each["status"] for each in await fetched(caller)]


async def test_an_unknown_template_is_404(caller: Caller) -> None:
    """Another account's, and one of another profile, are 404, too (C-7)."""
    await caller.neighbour()
    await created(caller, TEXT)
    unknown: list[tuple[str, dict[str, Any]]] = [
        ("coffees", {}),
        ("teas", {"senderProfile": "Orchid"}),
        ("teas", {"account": "neighbour"}),
        ("%00", {}),
        ("x" * 500, {}),
    ]

    for word in ("submit", "approve", "reject"):
        for name, body in unknown:
            refusal = (await review(caller, word, name, **body)).refusal
            assert (404, "template_not_found") == refusal, (word, name)
        assert (404, "account_not_found") == (await review(caller, word, account="none")).refusal
        assert (401, "unauthorized") == (
            await caller.post(f"/admin/v1/rcs-templates/teas/{word}", {})
        ).refusal


async def test_a_reason_has_a_limit(caller: Caller) -> None:
    """1,000 characters, and one past it; an empty one is none."""
    await created(caller, TEXT)

    assert ["reason"] == (await review(caller, "reject", reason="x" * 1_001)).wrong
    assert ["reason", "senderProfile"] == sorted(
        (await review(caller, "reject", reason=1, senderProfile=1)).wrong
    )
    assert 1_000 == len((await review(caller, "reject", reason="é" * 1_000)).json["reason"])
    assert "reason" not in (await review(caller, "approve", reason="")).json


async def test_templates_are_listed(caller: Caller) -> None:
    """With all that they say, of one account or of all, the newest first."""
    neighbour = await caller.neighbour()
    await created(caller, TEXT)
    await caller.advance(1)
    await created(neighbour, TEXT)
    every = await caller.operated("GET", "/rcs-templates?pageSize=1")
    theirs = await caller.operated("GET", "/rcs-templates?account=neighbour")

    # The third is the sandbox's own.
    assert (3, 3, theirs["data"]) == (every["total"], every["totalPages"], every["data"])
    assert await fetched(neighbour) == [
        {name: value for name, value in each.items() if name not in ("id", "accountId")}
        for each in theirs["data"]
    ]
