"""Sends under templates of accounts: filled in, reviewed, effective at once (C-48, C-52, C-60)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.message_templates import creating_rcs as rcs
from tests.entrypoints.message_templates import creating_whatsapp as wa
from tests.entrypoints.messaging.sends import (
    FALLBACK,
    FALLBACK_RCS,
    RCS,
    RECIPIENT,
    SMS,
    WA,
)

STORES = ("sqlite", "postgresql")
CARD = {
    "name": "tea_card",
    "type": "rich_card",
    "orientation": "VERTICAL",
    "height": "TALL_HEIGHT",
    "standAlone": {
        "mediaUrl": "https://cdn.example/tea.png",
        "cardTitle": "Your oolong is ready",
        "cardDescription": "Come by until six, dear [name].",
        "suggestions": [
            {
                "suggestionType": "url_action",
                "displayText": "See the pot",
                "postback": "pot",
                "url": "https://tea.example/pots/[pot]",
            }
        ],
    },
}
FULL_VALUES: list[dict[str, Any]] = [
    {"type": "header", "parameters": [{"type": "text", "text": "Mei"}]},
    {"type": "body", "parameters": [{"type": "text", "text": text} for text in ("oolong", "Mei")]},
    {
        "type": "button",
        "sub_type": "url",
        "index": "1",
        "parameters": [{"type": "text", "text": "oolong-7"}],
    },
    {
        "type": "button",
        "sub_type": "copy_code",
        "index": "3",
        "parameters": [{"type": "coupon_code", "coupon_code": "TEA25"}],
    },
]


def rcs_entry(sender: str = rcs.PROFILE, **params: str) -> dict[str, Any]:
    """Write an entry under the card."""
    filled = {"templateCode": "tea_card", "customParams": json.dumps(params)}
    return {**RCS, "sender": sender, "contentMessage": {"templateMessage": filled}}


def wa_entry(components: Any, language: str = "pt_BR") -> dict[str, Any]:
    """Write an entry under the full template."""
    template = {"name": "new_teas", "language": {"code": language}, "components": components}
    return {**WA, "template": template}


async def decide(caller: Caller, channel: str, template: dict[str, Any], status: str) -> int:
    """Make the sandbox's provider decide on a template of the demo account."""
    accounts = (await caller.operated("GET", "/channel-accounts?account=demo"))["data"]
    (account,) = [each["id"] for each in accounts if each["channelType"] == channel]
    body = json.dumps({"template": template, "status": status}).encode()
    return (await caller.using(None).post(f"/callbacks/{account}", data=body)).status


async def test_an_rcs_template_is_filled_in_everywhere(caller: Caller) -> None:
    """In its card and its button; the provider gets the card beside the request (C-39)."""
    await rcs.created(caller, CARD)
    await rcs.review(caller, "approve", "tea_card")
    await caller.sent(rcs=[rcs_entry(name="Mei", pot="7")])
    (shown,) = await caller.outbox()

    assert (
        "https://cdn.example/tea.png\nYour oolong is ready\nCome by until six, dear Mei."
        "\n[See the pot] https://tea.example/pots/7"
    ) == shown["text"]
    assert ("tea_card", {"name": "Mei", "pot": "7"}) == (
        shown["payload"]["templateCode"],
        shown["payload"]["params"],
    )
    card = shown["payload"]["content"]["standAlone"]
    assert "Come by until six, dear Mei." == card["cardDescription"]
    assert "https://tea.example/pots/7" == card["suggestions"][0]["url"]
    given: Any = CARD["standAlone"]
    assert given.keys() == card.keys()
    assert given["suggestions"][0].keys() == card["suggestions"][0].keys()
    assert None not in shown["payload"]["content"].values()


async def test_a_whatsapp_template_is_filled_in_everywhere(caller: Caller) -> None:
    """In header, body and buttons; the provider gets Meta's shape as it was sent."""
    await wa.created(caller, wa.FULL)
    await wa.review(caller, "approve", "new_teas")
    await caller.sent(wa=[wa_entry(FULL_VALUES)])
    (shown,) = await caller.outbox()

    assert (
        "For you, Mei\nThe oolong is here, Mei.\nTea House\n[Stop]"
        "\n[Look] https://example.com/oolong-7\n[Call] +911123456789\n[Copy code] TEA25"
    ) == shown["text"]
    assert FULL_VALUES == shown["payload"]["components"]


async def test_what_is_missing_is_named_for_every_entry(caller: Caller) -> None:
    """All of it at once, by its path, in a fallback too; and nothing is sent (C-60)."""
    await wa.created(caller, wa.FULL)
    await wa.review(caller, "approve", "new_teas")
    await rcs.created(caller, CARD)
    await rcs.review(caller, "approve", "tea_card")
    configuration = {"fallback_id": "by-rcs", "steps": ["rcs"]}
    await caller.operated("POST", "/fallback-configurations", configuration)
    step = {**FALLBACK_RCS, "sender": rcs.PROFILE, "templateCode": "tea_card", "customParams": "{}"}
    reply = await caller.send(
        wa=[wa_entry(FULL_VALUES), wa_entry(FULL_VALUES[1:3]), wa_entry(None)],
        fallback={**FALLBACK, "fallback_id": "by-rcs", "rcs": step},
    )

    assert reply.wrong == [
        *["wa[1].template.components"] * 2,
        *["wa[2].template.components"] * 4,
        "fallback.rcs.customParams",
    ]
    assert [] == await caller.outbox()


@pytest.mark.parametrize("channel", ["rcs", "whatsapp"])
async def test_a_template_is_found_by_all_that_names_it(caller: Caller, channel: str) -> None:
    """On RCS by the sender's profile (C-49), on WhatsApp by its language; else it is 404."""
    if channel == "rcs":
        await rcs.created(caller, CARD)
        await rcs.review(caller, "approve", "tea_card")
        other = await caller.send(rcs=[rcs_entry("Orchid", name="Mei", pot="7")])
    else:
        await wa.created(caller, wa.FULL)
        await wa.review(caller, "approve", "new_teas")
        other = await caller.send(wa=[wa_entry(FULL_VALUES, "pt_PT")])

    assert (404, "template_not_found") == other.refusal
    assert [] == await caller.outbox()


async def test_an_unapproved_template_fails_the_whole_call(caller: Caller) -> None:
    """409 while pending and after a rejection, whatever the other entries contain (C-48)."""
    await rcs.created(caller, CARD)
    both = [rcs_entry("Watchword"), rcs_entry(name="Mei", pot="7")]
    both[0]["contentMessage"]["templateMessage"] = {
        "templateCode": "demo",
        "customParams": {"name": "Asha", "order": "1"},
    }
    before = await caller.recorded()
    pending = await caller.send(rcs=both)
    assert before == await caller.recorded()
    await rcs.review(caller, "approve", "tea_card")
    await caller.sent(rcs=both)
    await rcs.review(caller, "reject", "tea_card")
    rejected = await caller.send(rcs=both)

    assert (409, "template_not_approved") == pending.refusal == rejected.refusal
    assert 2 == len(await caller.outbox())


@pytest.mark.parametrize("meanwhile", ["approved", "rejected"])
async def test_a_steps_template_is_judged_when_it_fires(caller: Caller, meanwhile: str) -> None:
    """Approved only then it is sent; rejected meanwhile, the run ends as rejected (C-52)."""
    await rcs.created(caller, CARD)
    configuration = {"fallback_id": "by-rcs", "steps": ["rcs"]}
    await caller.operated("POST", "/fallback-configurations", configuration)
    step = {
        **FALLBACK_RCS,
        "sender": rcs.PROFILE,
        "templateCode": "tea_card",
        "customParams": {"name": "Mei", "pot": "7"},
    }
    if meanwhile == "rejected":
        await rcs.review(caller, "approve", "tea_card")
    body = await caller.sent(sms=[SMS], fallback={**FALLBACK, "fallback_id": "by-rcs", "rcs": step})
    await rcs.review(caller, "approve" if meanwhile == "approved" else "reject", "tea_card")
    await caller.advance(61)
    standing = await caller.standing(body["data"][0]["messageId"])
    (told,) = standing["fallback"]["steps"]

    if meanwhile == "approved":
        assert "fired" == standing["fallback"]["status"]
        assert ["sms", "rcs"] == [each["channel"] for each in await caller.outbox()]
    else:
        assert ("rejected", "template_not_approved") == (
            standing["fallback"]["status"],
            told["errorCode"],
        )
        assert ["sms"] == [each["channel"] for each in await caller.outbox()]


async def test_a_provider_approves_and_rejects(caller: Caller) -> None:
    """Its post decides, as its channel account; a repeated post changes nothing (C-34, C-36)."""
    made = await wa.created(caller, wa.FULL)
    full = {"name": "new_teas", "language": "pt_BR"}
    for _ in range(2):
        assert 200 == await decide(caller, "whatsapp", full, "APPROVED")
    await caller.sent(wa=[wa_entry(FULL_VALUES)])
    assert 200 == await decide(caller, "whatsapp", {"name": "new_teas"}, "REJECTED")

    assert (409, "template_not_approved") == (await caller.send(wa=[wa_entry(FULL_VALUES)])).refusal
    created, approved, rejected = await caller.events(made["id"])
    assert ["WhatsappTemplateApproved", "WhatsappTemplateRejected"] == [
        approved["type"],
        rejected["type"],
    ]
    assert "WhatsappTemplateCreated" == created["type"]
    assert approved["actor"].startswith("cha_")


async def test_a_provider_decides_on_its_accounts_templates_alone(caller: Caller) -> None:
    """Another account's, another channel's and unheard-of ones stay as they are, with 200 (C-7, D-94)."""
    neighbour = await caller.neighbour()
    await rcs.created(neighbour, CARD)
    await wa.created(caller, wa.FULL)
    before = await caller.recorded()
    for channel, name in (("rcs", "tea_card"), ("rcs", "new_teas"), ("sms", "new_teas")):
        assert 200 == await decide(caller, channel, {"name": name}, "APPROVED")

    assert before == await caller.recorded()


async def test_a_provider_decides_on_what_is_submitted(caller: Caller) -> None:
    """A draft stays one, and a name that several templates have wants their profile; 200 (C-55, D-46)."""
    await rcs.created(caller, {**CARD, "templateState": "Create"})
    before = await caller.recorded()
    assert 200 == await decide(caller, "rcs", {"name": "tea_card"}, "APPROVED")
    assert before == await caller.recorded()
    await rcs.created(caller, CARD, sender_profile_name="Orchid")
    before = await caller.recorded()
    assert 200 == await decide(caller, "rcs", {"name": "tea_card"}, "APPROVED")
    assert before == await caller.recorded()
    orchids = {"name": "tea_card", "senderProfile": "Orchid"}
    assert 200 == await decide(caller, "rcs", orchids, "APPROVED")

    await caller.sent(rcs=[rcs_entry("Orchid", name="Mei", pot="7")])
    assert [RECIPIENT] == [each["destination"] for each in await caller.outbox()]
