"""PIN templates under /admin/v1: create, revise, enable, disable, archive (SPEC 2.8, C-16, C-35)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller

SMS = {"channelType": "sms"}
TEA = {"name": "tea", "channels": [SMS]}


async def test_a_template_needs_a_name_and_a_channel(caller: Caller) -> None:
    """All else comes by default; it starts enabled, the first channel is the default (C-35)."""
    body = {"name": "tea", "channels": [SMS, {"channelType": "email"}]}
    reply = await caller.operate("POST", "/pin-templates", body)

    assert 201 == reply.status
    assert "enabled" == reply.json["status"]
    assert [True, False] == [each["isDefault"] for each in reply.json["channels"]]
    assert reply.json == await caller.operated("GET", f"/pin-templates/{reply.json['id']}")


async def test_a_channel_takes_the_accounts_first_channel_account(caller: Caller) -> None:
    """Without channelAccountId a new account changes nothing: the first one of the channel is taken."""
    before = await caller.operated("POST", "/pin-templates", TEA)
    await caller.channel("sms", {})
    made = await caller.operated("POST", "/pin-templates", TEA)

    assert before["channels"][0]["channelAccountId"] == made["channels"][0]["channelAccountId"]


async def test_a_channel_takes_no_disabled_account_while_it_has_another(caller: Caller) -> None:
    """Codes under it would all be rejected; a disabled one is taken where there is no other."""
    first = (await caller.operated("POST", "/pin-templates", TEA))["channels"][0]
    await caller.operated("POST", f"/channel-accounts/{first['channelAccountId']}/disable")
    alone = await caller.operated("POST", "/pin-templates", TEA)
    second = await caller.channel("sms", {})
    made = await caller.operated("POST", "/pin-templates", TEA)

    assert first["channelAccountId"] == alone["channels"][0]["channelAccountId"]
    assert second["channelAccountId"] == made["channels"][0]["channelAccountId"]


async def test_a_revised_channel_keeps_its_account(caller: Caller) -> None:
    """A patch that changes a text alone moves nothing to another channel account."""
    chosen = await caller.channel("sms", {})
    made = await caller.operated("POST", "/pin-templates", {**TEA, "channels": [chosen]})
    patch = {"channels": [{"channelType": "sms", "contentText": "{{pin}} it is"}]}
    revised = await caller.operated("PATCH", f"/pin-templates/{made['id']}", patch)

    assert chosen["channelAccountId"] == revised["channels"][0]["channelAccountId"]


async def test_an_empty_text_is_a_slip(caller: Caller) -> None:
    """For sms and email a text without the placeholder is 400, an empty one too (C-17a)."""
    empty = {**TEA, "channels": [{"channelType": "sms", "contentText": ""}]}
    reply = await caller.operate("POST", "/pin-templates", empty)

    assert (400, ["channels[0].contentText"]) == (
        reply.status,
        [each["field"] for each in reply.json["error"]["details"]["fields"]],
    )


async def test_what_a_channel_has_no_use_for_is_left_empty(caller: Caller) -> None:
    """Subject for e-mail, button for WhatsApp, entity and unicode for SMS alone (SPEC 2.8)."""
    everything = {
        "subjectText": "s",
        "copyCodeButtonIndex": 0,
        "entityId": "e",
        "unicode": True,
    }
    channels = [{"channelType": name, **everything} for name in ("sms", "whatsapp", "email")]
    made = await caller.operated("POST", "/pin-templates", {"name": "tea", "channels": channels})

    assert [
        (None, None, "e", True),
        (None, 0, None, None),
        ("s", None, None, None),
    ] == [tuple(each[name] for name in everything) for each in made["channels"]]


@pytest.mark.parametrize(
    "limits",
    [
        {"pinLength": 4},
        {"pinLength": 10, "pinType": "hex"},
        {"pinAttempts": 1},
        {"pinAttempts": 100},
        {"pinTimeToLive": "1ms"},
        {"resendCooldown": "0s"},
        {"verifyPinLimit": "1/s"},
        {"sendPinPerTemplateLimit": "999999999/3660d"},
    ],
)
async def test_limits_are_taken_as_they_are_written(caller: Caller, limits: dict[str, Any]) -> None:
    """A limit keeps its spelling, up to the edges of C-16."""
    made = await caller.operated("POST", "/pin-templates", {**TEA, **limits})

    assert limits == {name: made[name] for name in limits}


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"name": ""}, ["name"]),
        ({"name": 5}, ["name"]),
        ({"name": "n" * 201}, ["name"]),
        ({"channels": []}, ["channels"]),
        ({"channels": None}, ["channels"]),
        ({"channels": SMS}, ["channels"]),
        ({"channels": ["sms"]}, ["channels[0]"]),
        ({"channels": [{}]}, ["channels[0].channelType"]),
        ({"channels": [{"channelType": "rcs"}]}, ["channels[0].channelType"]),
        ({"channels": [SMS, SMS]}, ["channels[1].channelType"]),
        ({"channels": [{**SMS, "isDefault": "yes"}]}, ["channels[0].isDefault"]),
        ({"channels": [{**SMS, "contentText": "no code"}]}, ["channels[0].contentText"]),
        ({"channels": [{**SMS, "paramDefaults": {"1": 5}}]}, ["channels[0].paramDefaults.1"]),
        ({"channels": [{**SMS, "paramDefaults": {"x": "y"}}]}, ["channels[0].paramDefaults"]),
        ({"pinLength": 3}, ["pinLength"]),
        ({"pinLength": 11}, ["pinLength"]),
        ({"pinLength": 6.0}, ["pinLength"]),
        ({"pinLength": "6"}, ["pinLength"]),
        ({"pinLength": True}, ["pinLength"]),
        ({"pinType": "runes"}, ["pinType"]),
        ({"pinAttempts": 0}, ["pinAttempts"]),
        ({"pinAttempts": 101}, ["pinAttempts"]),
        ({"pinTimeToLive": "0s"}, ["pinTimeToLive"]),
        ({"pinTimeToLive": "10"}, ["pinTimeToLive"]),
        ({"pinTimeToLive": 600}, ["pinTimeToLive"]),
        ({"pinTimeToLive": "3661d"}, ["pinTimeToLive"]),
        ({"resendCooldown": "-1s"}, ["resendCooldown"]),
        ({"verifyPinLimit": "0/1s"}, ["verifyPinLimit"]),
        ({"verifyPinLimit": "1/0s"}, ["verifyPinLimit"]),
        ({"verifyPinLimit": "often"}, ["verifyPinLimit"]),
        ({"sendPinPerTemplateLimit": "1"}, ["sendPinPerTemplateLimit"]),
        ({"sendPinPerPhoneNumberLimit": None}, ["sendPinPerPhoneNumberLimit"]),
        ({"name": 1, "pinLength": 2, "pinType": 3}, ["name", "pinLength", "pinType"]),
        ({"name": "", "channels": [], "pinAttempts": 0}, ["channels", "name", "pinAttempts"]),
    ],
)
async def test_a_wrong_template_is_400(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """Every wrong field is named with its path, at creation and at revision; nothing changes."""
    before = await caller.recorded()
    created = await caller.operate("POST", "/pin-templates", {**TEA, **wrong})

    assert fields == sorted(created.wrong)
    if None not in wrong.values():
        revised = await caller.operate("PATCH", "/pin-templates/tpl_demo", wrong)

        assert fields == sorted(revised.wrong)
    assert before == await caller.recorded()


async def test_two_defaults_are_one_too_many(caller: Caller) -> None:
    """At most one channel is the default."""
    channels = [{"channelType": name, "isDefault": True} for name in ("sms", "email")]

    assert ["channels"] == (
        await caller.operate("POST", "/pin-templates", {"name": "tea", "channels": channels})
    ).wrong


async def test_a_revision_replaces_what_is_given(caller: Caller) -> None:
    """Missing members stay as they were; the answer is the record, with its findings (C-64, C-87)."""
    made = await caller.operated("POST", "/pin-templates", {**TEA, "pinAttempts": 7})
    reply = await caller.operate("PATCH", f"/pin-templates/{made['id']}", {"pinLength": 8})

    assert 200 == reply.status
    follows = {name: reply.json[name] for name in ("updatedAt", "findings")}
    assert {**made, "pinLength": 8, **follows} == reply.json
    assert made["findings"] != reply.json["findings"]
    assert ["PinTemplateCreated", "PinTemplateRevised"] == await caller.story(made["id"])


async def test_a_revision_that_changes_nothing_is_no_event(caller: Caller) -> None:
    """The same values again are not recorded."""
    made = await caller.operated("POST", "/pin-templates", TEA)
    again = await caller.operated("PATCH", f"/pin-templates/{made['id']}", {"name": "tea"})

    assert made == again
    assert ["PinTemplateCreated"] == await caller.story(made["id"])


async def test_a_templates_life_is_on_record(caller: Caller) -> None:
    """Each action answers 200 with the record, and one that changes nothing is no event (C-64)."""
    made = await caller.operated("POST", "/pin-templates", TEA)
    shown = [
        await caller.operated("POST", f"/pin-templates/{made['id']}/{action}")
        for action in ("disable", "disable", "enable", "enable", "archive", "archive")
    ]

    assert ["disabled", "disabled", "enabled", "enabled", "enabled", "enabled"] == [
        each["status"] for each in shown
    ]
    assert [False] * 4 + [True] * 2 == [each["archivedAt"] is not None for each in shown]
    assert [
        "PinTemplateCreated",
        "PinTemplateDisabled",
        "PinTemplateEnabled",
        "PinTemplateArchived",
    ] == await caller.story(made["id"])


@pytest.mark.parametrize("change", [("PATCH", ""), ("POST", "/enable"), ("POST", "/disable")])
async def test_an_archived_template_stays_as_it_is(caller: Caller, change: tuple[str, str]) -> None:
    """Archived is for good: 409 template_disabled."""
    made = await caller.operated("POST", "/pin-templates", TEA)
    await caller.operated("POST", f"/pin-templates/{made['id']}/archive")
    method, action = change
    body = {"name": "coffee"} if method == "PATCH" else None
    reply = await caller.operate(method, f"/pin-templates/{made['id']}{action}", body)

    assert (409, "template_disabled") == reply.refusal


async def test_an_unknown_template_is_404(caller: Caller) -> None:
    """Show, revise, enable, disable and archive alike."""
    for method, action in (
        ("GET", ""),
        ("PATCH", ""),
        ("POST", "/enable"),
        ("POST", "/disable"),
        ("POST", "/archive"),
    ):
        reply = await caller.operate(method, f"/pin-templates/tpl_none{action}")

        assert (404, "template_not_found") == reply.refusal


async def test_operators_list_the_templates_of_all_accounts(caller: Caller) -> None:
    """One account can be chosen, with the filters of D4 (C-35)."""
    await caller.neighbour()

    assert 2 == (await caller.operated("GET", "/pin-templates"))["total"]
    assert ["neighbour"] == [
        each["name"]
        for each in (await caller.operated("GET", "/pin-templates?account=neighbour"))["data"]
    ]
    assert 1 == (await caller.operated("GET", "/pin-templates?search=DEM"))["total"]
