"""Operators' tokens over HTTP: made, used, listed, revoked, refused (C-84)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from watchword.entrypoints.http.app import Exposure

ROLES = ("auditor", "operator", "admin")


async def new_token(caller: Caller, role: str = "admin", **options: object) -> dict[str, Any]:
    """Make a token."""
    body = {"name": "desk", "role": role, **options}
    made: dict[str, Any] = await caller.operated("POST", "/tokens", body)
    return made


async def account_id(caller: Caller, name: str = "demo") -> str:
    """Return the id of an account."""
    accounts = (await caller.operated("GET", "/accounts"))["data"]
    return next(str(each["id"]) for each in accounts if each["name"] == name)


async def test_a_token_is_shown_once(caller: Caller) -> None:
    """The answer has it, and neither the list, nor the record, nor its history."""
    made = await new_token(caller, account="demo", clear=True, expiresAt="2099-01-31T12:00:00Z")
    record = {name: each for name, each in made.items() if name != "token"}
    history = await caller.operated("GET", f"/streams/{made['id']}/events")

    assert made["token"].startswith(made["prefix"])
    assert {
        "id": made["id"],
        "name": "desk",
        "role": "admin",
        "accountId": await account_id(caller),
        "clear": True,
        "prefix": made["prefix"],
        "expiresAt": "2099-01-31T12:00:00.000Z",
        "createdAt": made["createdAt"],
        "lastUsedAt": None,
        "revokedAt": None,
    } == record
    assert [record] == (await caller.operated("GET", "/tokens"))["data"]
    assert record == await caller.operated("GET", f"/tokens/{made['id']}")
    assert "***" == history["data"][0]["data"]["tokenHash"]
    assert made["token"] not in str(history)


async def test_tokens_are_listed_by_their_account(caller: Caller) -> None:
    """`account` narrows the list to the tokens that are bound to it, by its id or its name."""
    await caller.neighbour("acme")
    bound = await new_token(caller, account="acme")
    await new_token(caller)
    listed = [
        (await caller.operated("GET", f"/tokens?account={each}"))["data"]
        for each in ("acme", await account_id(caller, "acme"), "demo")
    ]

    assert [[bound["id"]], [bound["id"]], []] == [[row["id"] for row in each] for each in listed]
    assert (404, "account_not_found") == (
        await caller.operate("GET", "/tokens?account=nobody")
    ).refusal


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["name", "role"]),
        ({"name": " ", "role": "admin"}, ["name"]),
        ({"name": "desk", "role": "root"}, ["role"]),
        ({"name": "desk", "role": "admin", "expiresAt": "2001-01-31"}, ["expiresAt"]),
        ({"name": "desk", "role": "admin", "clear": "yes", "account": 1}, ["account", "clear"]),
    ],
)
async def test_a_wrong_body_is_400(caller: Caller, body: dict[str, Any], fields: list[str]) -> None:
    """The refusal names each wrong member."""
    reply = await caller.operate("POST", "/tokens", body)

    assert (400, "validation_failed") == reply.refusal
    assert fields == sorted(each["field"] for each in reply.error["details"]["fields"])


@pytest.mark.parametrize("member", ["accountId", "Account", "expires_at"])
async def test_a_misspelt_member_makes_no_token(caller: Caller, member: str) -> None:
    """It is named, whoever asks; else the token would open all accounts, or for ever (D-545)."""
    body = {"name": "desk", "role": "admin", member: "demo"}
    reply = await caller.operate("POST", "/tokens", body)

    assert (400, "validation_failed") == reply.refusal
    assert [member] == [each["field"] for each in reply.error["details"]["fields"]]
    assert 0 == (await caller.operated("GET", "/tokens"))["total"]


async def test_a_token_for_an_unknown_account_is_404(caller: Caller) -> None:
    """Nothing is made."""
    body = {"name": "desk", "role": "admin", "account": "nobody"}

    assert (404, "account_not_found") == (await caller.operate("POST", "/tokens", body)).refusal
    assert 0 == (await caller.operated("GET", "/tokens"))["total"]


async def test_unknown_tokens_are_404(caller: Caller) -> None:
    """Whatever is asked of them."""
    for method in ("GET", "DELETE"):
        for token_id in ("tok_0", "key_0"):
            reply = await caller.operate(method, f"/tokens/{token_id}")
            assert (404, "token_not_found") == reply.refusal


@pytest.mark.parametrize("role", ROLES)
async def test_a_token_opens_what_its_role_allows(caller: Caller, role: str) -> None:
    """An auditor reads, an operator also acts, and an admin also gives access."""
    holder = caller.using((await new_token(caller, role))["token"])
    dlt = {"account": "demo", "templateId": "1", "entityId": "2", "text": "Tea"}
    tried = (
        await holder.get("/admin/v1/dlt-templates"),
        await holder.post("/admin/v1/dlt-templates", dlt),
        await holder.post("/admin/v1/tokens", {"name": "mine", "role": "auditor"}),
        await holder.post("/admin/v1/accounts", {"name": "mine"}),
    )
    allowed = 1 + ROLES.index(role) + (role == "admin")

    assert [200, 201, 201, 201][:allowed] == [each.status for each in tried[:allowed]]
    assert [(403, "forbidden")] * (4 - allowed) == [each.refusal for each in tried[allowed:]]


async def test_a_role_is_checked_before_the_request(caller: Caller) -> None:
    """Whoever may not call a route learns nothing of its parameters, its body or its records."""
    holder = caller.using((await new_token(caller, "auditor"))["token"])
    for path in ("/admin/v1/tokens/tok_0?x=1", "/admin/v1/api-keys/key_0"):
        reply = await holder.ask("DELETE", path, data=b"{")
        assert (403, "forbidden") == reply.refusal


async def test_a_bound_token_opens_nothing_about_the_store(caller: Caller) -> None:
    """Not even for an admin: tokens, accounts, the log and its heads are the store's."""
    holder = caller.using((await new_token(caller, "admin", account="demo"))["token"])
    for method, path in (
        ("GET", "/admin/v1/tokens"),
        ("POST", "/admin/v1/tokens"),
        ("POST", "/admin/v1/accounts"),
        ("GET", "/admin/v1/events"),
        ("GET", "/admin/v1/log/heads"),
    ):
        reply = await holder.ask(method, path)
        assert (403, "forbidden") == reply.refusal
        assert "bound to an account" in reply.error["message"]


async def test_whoami_names_the_holder(caller: Caller) -> None:
    """The root is `admin`; a token is its id, with the account and the end that it has."""
    assert {"actor": "admin", "role": "admin"} == await caller.operated("GET", "/whoami")

    free = await new_token(caller, "operator")
    ends = "2099-01-31T12:00:00.000Z"
    bound = await new_token(caller, "auditor", account="demo", expiresAt=ends)
    asked = [await caller.using(each["token"]).get("/admin/v1/whoami") for each in (free, bound)]

    assert [
        {"actor": free["id"], "role": "operator"},
        {
            "actor": bound["id"],
            "role": "auditor",
            "account": await account_id(caller),
            "expiresAt": ends,
        },
    ] == [each.json for each in asked]


async def test_what_a_token_changes_has_it_as_the_actor(caller: Caller) -> None:
    """Its id stands beside the event."""
    made = await new_token(caller)
    account = (await caller.using(made["token"]).post("/admin/v1/accounts", {"name": "mine"})).json
    history = await caller.operated("GET", f"/streams/{account['id']}/events")

    assert [("AccountCreated", made["id"])] == [
        (each["type"], each["actor"]) for each in history["data"]
    ]


async def test_a_revoked_token_ends_at_its_next_request(caller: Caller) -> None:
    """It may even revoke itself; from then on it is as unknown."""
    made = await new_token(caller)
    holder = caller.using(made["token"])
    revoked = await holder.ask("DELETE", f"/admin/v1/tokens/{made['id']}")
    again = await caller.operated("DELETE", f"/tokens/{made['id']}")

    assert (200, made["id"]) == (revoked.status, revoked.json["id"])
    assert revoked.json["revokedAt"] == again["revokedAt"]
    assert (401, "unauthorized") == (await holder.get("/admin/v1/whoami")).refusal


async def test_an_expired_token_ends_at_its_next_request(caller: Caller) -> None:
    """By the service's clock."""
    now = (await caller.operated("POST", "/sandbox/clock/advance", {"seconds": 1}))["now"]
    made = await new_token(caller, expiresAt=f"{int(now[:4]) + 1}{now[4:]}")
    holder = caller.using(made["token"])
    before = await holder.get("/admin/v1/whoami")
    await caller.operated("POST", "/sandbox/clock/advance", {"seconds": 366 * 86_400})

    assert 200 == before.status
    assert (401, "unauthorized") == (await holder.get("/admin/v1/whoami")).refusal


async def test_its_last_use_is_listed(caller: Caller) -> None:
    """It is recorded at most once in ten minutes."""
    made = await new_token(caller)
    for _ in range(3):
        await caller.using(made["token"]).get("/admin/v1/whoami")
    record = await caller.operated("GET", f"/tokens/{made['id']}")
    history = await caller.operated("GET", f"/streams/{made['id']}/events")

    assert record["lastUsedAt"] is not None
    assert ["OperatorTokenCreated", "OperatorTokenUsed"] == [
        each["type"] for each in history["data"]
    ]


async def test_a_token_is_no_key_and_a_key_no_token(caller: Caller) -> None:
    """Each opens its own routes."""
    made = await new_token(caller)

    assert (401, "unauthorized") == (await caller.using(made["token"]).templates()).refusal
    assert (401, "unauthorized") == (await caller.get("/admin/v1/whoami")).refusal


@pytest.mark.stores("memory")
async def test_without_an_admin_token_no_token_opens_anything(serving: Serving) -> None:
    """Tokens stand where the environment's token does (C-84)."""
    async with serving(Exposure(admin_token="")) as caller:
        assert 404 == (await caller.using("wwt_x").get("/admin/v1/whoami")).status


@pytest.mark.stores("memory")
async def test_a_public_sandbox_takes_tokens(serving: Serving) -> None:
    """Reads want an auditor who sees all, the rest an operator; a bound token opens nothing of the outbox."""
    root, abroad = "tell-nobody", {"Host": "sandbox.example"}
    async with serving(Exposure(admin_token=root, sandbox_public=True)) as caller:
        statuses = []
        for role, more in (
            ("auditor", {}),
            ("auditor", {"clear": True}),
            ("operator", {}),
            ("admin", {"account": "demo"}),
        ):
            body = {"name": "desk", "role": role, **more}
            made = (await caller.using(root).post("/admin/v1/tokens", body)).json
            holder = caller.using(made["token"])
            statuses.append(
                [
                    (await holder.ask(method, path, headers=abroad)).status
                    for method, path in (
                        ("GET", "/sandbox/outbox"),
                        ("DELETE", "/admin/v1/sandbox/outbox"),
                    )
                ]
            )

        assert [[403, 403], [200, 403], [200, 200], [403, 403]] == statuses
