"""Accounts, keys, channel accounts and fallbacks under /admin/v1 (C-35, C-46, C-63)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller

NAMED = {"name": "web shop"}
FALLBACK = {"fallback_id": "tea", "steps": ["sms", "wa"]}
SMS = {"name": "sms", "channelType": "sms", "provider": "sandbox"}


async def test_an_account_is_created(caller: Caller) -> None:
    """A create answers 201 with the record, and is on record in the operator's name (C-46)."""
    reply = await caller.operate("POST", "/accounts", {"name": "orchid"})
    (event,) = await caller.events(reply.json["id"])

    assert 201 == reply.status
    assert {"id", "name", "createdAt", "suspendedAt"} == reply.json.keys()
    assert reply.json["suspendedAt"] is None
    assert ("AccountCreated", "admin", {"name": "orchid"}) == (
        event["type"],
        event["actor"],
        event["data"],
    )


async def test_an_accounts_name_is_its_own(caller: Caller) -> None:
    """A second account of the same name is 409 duplicate_name."""
    assert (409, "duplicate_name") == (
        await caller.operate("POST", "/accounts", {"name": "demo"})
    ).refusal


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": " "}, {"name": 5}, {"name": "n" * 201}]
)
async def test_an_account_needs_a_name(caller: Caller, body: dict[str, Any]) -> None:
    """1 to 200 characters that are not all blank."""
    before = await caller.recorded()

    assert ["name"] == (await caller.operate("POST", "/accounts", body)).wrong
    assert before == await caller.recorded()


async def test_lists_come_in_pages(caller: Caller) -> None:
    """Management lists have the envelope of SPEC 2.8, the newest first."""
    for number in range(3):
        await caller.operated("POST", "/accounts", {"name": f"guest {number}"})
    listed = await caller.operated("GET", "/accounts?pageSize=2")

    assert (1, 2, 4, 2) == tuple(
        listed[name] for name in ("page", "pageSize", "total", "totalPages")
    )
    assert ["guest 2", "guest 1"] == [each["name"] for each in listed["data"]]


async def test_an_account_is_named_by_id_or_name(caller: Caller) -> None:
    """Elsewhere `account` takes either; without it, it is the sandbox's demo (C-35)."""
    account = await caller.operated("POST", "/accounts", {"name": "orchid"})
    for given in (account["id"], "orchid"):
        made = await caller.operated("POST", "/api-keys", {"account": given, **NAMED})

        assert account["id"] == made["accountId"]
    assert account["id"] != (await caller.operated("POST", "/api-keys", NAMED))["accountId"]
    assert 2 == (await caller.operated("GET", "/api-keys?account=orchid"))["total"]
    assert 4 == (await caller.operated("GET", "/api-keys"))["total"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api-keys", NAMED),
        ("/channel-accounts", SMS),
        ("/dlt-templates", {"templateId": "1107", "entityId": "1101", "text": "Tea {#var#}"}),
        ("/fallback-configurations", FALLBACK),
        ("/pin-templates", {**NAMED, "channels": [{"channelType": "sms"}]}),
    ],
)
async def test_an_unknown_account_is_404(caller: Caller, path: str, body: dict[str, Any]) -> None:
    """Creates and lists alike: account_not_found."""
    body = {"account": "nobody", **body}

    assert (404, "account_not_found") == (await caller.operate("POST", path, body)).refusal
    assert (404, "account_not_found") == (
        await caller.operate("GET", f"{path}?account=nobody")
    ).refusal


@pytest.mark.parametrize(
    "path",
    [
        "api-keys",
        "callbacks",
        "messages",
        "pin-templates",
        "rcs-templates",
        "verifications",
        "wa-templates",
    ],
)
async def test_an_account_without_a_name_narrows_no_list(caller: Caller, path: str) -> None:
    """An empty filter is as one that is left out (D-114)."""
    narrowed = await caller.operate("GET", f"/{path}?account=")

    assert (await caller.operate("GET", f"/{path}")).json == narrowed.json


async def test_a_key_is_created(caller: Caller) -> None:
    """All scopes by default, no expiry, and the key itself this once (C-6, C-35)."""
    reply = await caller.operate("POST", "/api-keys", NAMED)
    made = reply.json

    assert 201 == reply.status
    assert {
        "id": made["id"],
        "accountId": made["accountId"],
        "name": "web shop",
        "prefix": made["key"][:9],
        "scopes": ["messaging", "pins"],
        "templateAutoMatch": False,
        "expiresAt": None,
        "createdAt": made["createdAt"],
        "lastUsedAt": None,
        "revokedAt": None,
        "key": made["key"],
    } == made


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"name": ""}, ["name"]),
        ({"name": None}, ["name"]),
        ({"scopes": []}, ["scopes"]),
        ({"scopes": "pins"}, ["scopes"]),
        ({"scopes": ["pins", "tea"]}, ["scopes[1]"]),
        ({"templateAutoMatch": "yes"}, ["templateAutoMatch"]),
        ({"expiresAt": "tomorrow"}, ["expiresAt"]),
        ({"expiresAt": 5}, ["expiresAt"]),
        ({"expiresAt": "2001-01-01T00:00:00Z"}, ["expiresAt"]),
        ({"expiresAt": "9999-12-31T23:59:59-12:00"}, ["expiresAt"]),
        ({"account": 5}, ["account"]),
        ({"name": 1, "scopes": 2, "expiresAt": 3}, ["expiresAt", "name", "scopes"]),
    ],
)
async def test_a_wrong_key_is_400(caller: Caller, wrong: dict[str, Any], fields: list[str]) -> None:
    """Every wrong field is named, and no key is made."""
    assert fields == sorted((await caller.operate("POST", "/api-keys", {**NAMED, **wrong})).wrong)
    assert 1 == (await caller.operated("GET", "/api-keys"))["total"]


async def test_an_unknown_key_cannot_be_revoked(caller: Caller) -> None:
    """404 api_key_not_found; revoking twice is no second event (C-35)."""
    made = await caller.operated("POST", "/api-keys", NAMED)
    first = await caller.operated("DELETE", f"/api-keys/{made['id']}")
    second = await caller.operated("DELETE", f"/api-keys/{made['id']}")

    assert (404, "api_key_not_found") == (await caller.operate("DELETE", "/api-keys/key_1")).refusal
    assert first == second
    assert ["ApiKeyCreated", "ApiKeyRevoked"] == await caller.story(made["id"])


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"channelType": "pigeon"}, ["channelType"]),
        ({"channelType": None}, ["channelType"]),
        ({"provider": "pigeon"}, ["provider"]),
        ({"provider": 5}, ["provider"]),
        ({"name": ""}, ["name"]),
        ({"sender": 5}, ["sender"]),
        ({"config": []}, ["config"]),
        ({"config": {"tea": 1}}, ["config.tea"]),
        ({"config": {"outcome": "tea"}}, ["config.outcome"]),
        ({"config": {"outcome": None}}, ["config.outcome"]),
        ({"config": {"mirror": 5}}, ["config.mirror"]),
        ({"config": {"mirror": "udp://[bad"}}, ["config.mirror"]),
        ({"config": {"mirror": "udp://127.0.0.1"}}, ["config.mirror"]),
        ({"config": {"mirror": "udp://127.0.0.1:70000"}}, ["config.mirror"]),
        ({"config": {"mirror": "udp://10.0.0.1:99"}}, ["config.mirror"]),
        ({"config": {"mirror": "tcp://127.0.0.1:99"}}, ["config.mirror"]),
        ({"config": {"tea": 1, "outcome": 2}}, ["config.outcome", "config.tea"]),
    ],
)
async def test_a_wrong_channel_account_is_400(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """An unknown or wrong member of `config` is named with its path (C-63, C-64)."""
    before = await caller.recorded()
    reply = await caller.operate("POST", "/channel-accounts", {**SMS, **wrong})

    assert fields == sorted(reply.wrong)
    assert before == await caller.recorded()


async def test_a_missing_member_is_named(caller: Caller) -> None:
    """All that is required is named at once."""
    reply = await caller.operate("POST", "/channel-accounts", {})

    assert ["channelType", "name", "provider"] == sorted(reply.wrong)


async def test_a_fallback_configuration_is_created(caller: Caller) -> None:
    """The record says its steps by the names of C-45, and the event says the same (C-35)."""
    reply = await caller.operate("POST", "/fallback-configurations", FALLBACK)
    made = reply.json
    (event,) = await caller.events(made["id"])

    assert 201 == reply.status
    assert {
        "id": made["id"],
        "accountId": made["accountId"],
        "fallback_id": "tea",
        "steps": ["sms", "whatsapp"],
        "createdAt": made["createdAt"],
    } == made
    assert made == (await caller.operated("GET", "/fallback-configurations"))["data"][0]
    assert (
        "FallbackConfigurationCreated",
        {"accountId": made["accountId"], "fallback_id": "tea", "steps": ["sms", "whatsapp"]},
    ) == (event["type"], event["data"])


async def test_a_fallback_id_is_an_accounts_own(caller: Caller) -> None:
    """A second one in the account is 409 duplicate_name; another account may have it, too (C-7)."""
    await caller.operated("POST", "/fallback-configurations", FALLBACK)
    await caller.operated("POST", "/accounts", {"name": "orchid"})
    path = "/fallback-configurations"

    assert (409, "duplicate_name") == (await caller.operate("POST", path, FALLBACK)).refusal
    assert 201 == (await caller.operate("POST", path, {**FALLBACK, "account": "orchid"})).status
    assert 1 == (await caller.operated("GET", f"{path}?account=orchid"))["total"]


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"fallback_id": ""}, ["fallback_id"]),
        ({"fallback_id": "two words"}, ["fallback_id"]),
        ({"fallback_id": 5, "steps": []}, ["fallback_id", "steps"]),
        ({"fallback_id": None}, ["fallback_id"]),
        ({"steps": "sms"}, ["steps"]),
        ({"steps": ["sms", 5]}, ["steps[1]"]),
        ({"steps": ["fax"]}, ["steps[0]"]),
        ({"steps": ["sandbox"]}, ["steps[0]"]),
        ({"steps": ["wa", "whatsapp"]}, ["steps"]),
        ({"steps": ["sms", "rcs", "whatsapp"]}, ["steps"]),
    ],
)
async def test_a_wrong_fallback_configuration_is_400(
    caller: Caller, wrong: dict[str, Any], fields: list[str]
) -> None:
    """Every wrong field is named as the caller spelled it, and nothing is made."""
    before = await caller.recorded()
    reply = await caller.operate("POST", "/fallback-configurations", {**FALLBACK, **wrong})

    assert fields == sorted(reply.wrong)
    assert before == await caller.recorded()
