"""Each role and each scope on each route of operators, generated from the routes' table (C-84, C-104)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import watchword.entrypoints.http
from tests.entrypoints.caller import Caller
from tests.entrypoints.http.roles.houses import House, asked, bodies, token
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.http.route import About, OperatorToken, Route
from watchword.entrypoints.http.routes import OPERATOR_ROUTES
from watchword.entrypoints.wired import Wired
from watchword.entrypoints.worker import run_due

STORES = ("memory",)
ADMINS_ALONE = ("people", "accounts", "api-keys", "tokens", "legacy-users", "test-destinations")
READING_POSTS = ("verifications/search", "messages/search", "guard/replay", "log/seal")
OF_ACCOUNTS = tuple(each for each in OPERATOR_ROUTES if each.about is About.ACCOUNT)
OF_RECORDS = tuple(each for each in OF_ACCOUNTS if "{" in each.path)
NAMED = tuple(
    each for each in OF_RECORDS if each.path.endswith(("}/submit", "/approve", "/reject"))
)
# No channel account of the sandbox submits templates.
REFUSED_ANYWAY = ("POST /admin/v1/wa-templates/{name}/submit",)
OPENAPI = json.loads(
    (Path(watchword.entrypoints.http.__file__).parent / "openapi.json").read_bytes()
)


def name_of(route: Route) -> str:
    """Return the method and the path of a route."""
    return f"{route.method} {route.path}"


def role_of(route: Route) -> TokenRole:
    """Return the least role that a route needs."""
    assert isinstance(route.needs, OperatorToken)
    return route.needs.role


def body_of(route: Route, house: House, **more: Any) -> Any:
    """Return a body for a route that takes one."""
    body = bodies(house).get(name_of(route))
    return None if body is None else {**body, **more}


def takes_account(route: Route) -> bool:
    """Return whether a route's body may name an account, as the described interface has it."""
    operation = OPENAPI["paths"][route.path][route.method.lower()]
    content = operation.get("requestBody", {}).get("content", {})
    return any("account" in _properties(each["schema"]) for each in content.values())


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    found = dict(schema.get("properties", {}))
    for each in schema.get("allOf", ()):
        found |= _properties(each)
    return found


@pytest.mark.parametrize("route", OPERATOR_ROUTES, ids=name_of)
def test_each_route_needs_the_role_of_the_contract(route: Route) -> None:
    """Reads are for auditors, access and people for admins alone, and the rest for operators (C-104)."""
    path = route.path.removeprefix("/admin/v1/")
    if route.method == "GET" or path in READING_POSTS:
        expected = TokenRole.AUDITOR
    elif path.partition("/")[0] in ADMINS_ALONE:
        expected = TokenRole.ADMIN
    else:
        expected = TokenRole.OPERATOR
    assert expected is role_of(route)


@pytest.mark.parametrize("role", TokenRole)
async def test_a_role_opens_its_routes_and_no_other(caller: Caller, role: TokenRole) -> None:
    """The others are 403 `forbidden`, whatever the request says, and change nothing."""
    holder = await token(caller, role)
    before = await caller.recorded()
    wrong = []
    closed = 0
    for route in OPERATOR_ROUTES:
        if role.allows(role_of(route)):
            continue
        closed += 1
        reply = await holder.ask(route.method, re.sub(r"\{\w+\}", "id_0", route.path), {})
        if (403, "forbidden") != (reply.status, reply.error["code"]):
            wrong.append(name_of(route))
    # The token's own use is recorded once.
    assert (before + bool(closed), []) == (await caller.recorded(), wrong)
    for route in OPERATOR_ROUTES:
        if role.allows(role_of(route)):
            reply = await holder.ask(route.method, re.sub(r"\{\w+\}", "id_0", route.path))
            if reply.status in (401, 403):
                wrong.append(name_of(route))
    assert [] == wrong


async def test_a_bound_token_opens_no_route_about_the_store(caller: Caller) -> None:
    """Not even an admin's, and not for its own account; a token without an account opens them."""
    holder = await token(caller, "admin", account="demo")
    unbound = await token(caller, "admin")
    wrong = []
    for route in OPERATOR_ROUTES:
        if route.about is About.STORE:
            path = re.sub(r"\{\w+\}", "id_0", route.path)
            refused = await holder.ask(route.method, path, {})
            opened = await unbound.ask(route.method, path)
            if (403, "forbidden") != refused.refusal or opened.status in (401, 403):
                wrong.append(name_of(route))
    assert [] == wrong


async def test_heads_are_told_to_no_bound_token(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """An endpoint without an account hears of the whole store (D-464)."""
    own, _ = houses
    asking = {"url": "http://127.0.0.1:9/heads", "events": ["log.*"]}
    holder = await token(caller, "admin", own)
    assert (403, "forbidden") == (await holder.post("/admin/v1/callbacks", asking)).refusal
    assert 201 == (await (await token(caller, "admin")).post("/admin/v1/callbacks", asking)).status


async def test_records_of_another_account_are_unknown(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """404 with the very words for an id that nobody has; nothing is changed."""
    own, other = houses
    holder = await token(caller, "admin", own)
    nobodys = House(own.owner, "", "", dict.fromkeys(own.ids, "nothing"), other.private)
    before = await caller.recorded()
    wrong = {}
    for route in OF_RECORDS:
        reply = await asked(holder, route, other, body_of(route, other))
        unknown = await asked(holder, route, nobodys, body_of(route, other))
        told = reply.error | {"message": reply.error["message"].replace(_id(route, other), "X")}
        words = unknown.error | {"message": unknown.error["message"].replace("nothing", "X")}
        if (404, words) != (reply.status, told):
            wrong[name_of(route)] = reply.status, told, words
    assert {} == wrong
    assert before + 1 == await caller.recorded()


def _id(route: Route, house: House) -> str:
    return house.path(route).split("/")[4]


async def test_what_is_the_accounts_own_is_shown_and_changed(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """Without an account, a token is about its own; so the refusals above are about the scope alone."""
    own, _ = houses
    holder = await token(caller, "admin", own)
    wrong = {}
    for route in sorted(OF_ACCOUNTS, key=lambda each: each.method == "DELETE"):
        reply = await asked(holder, route, own, body_of(route, own))
        if reply.status >= 300 and name_of(route) not in REFUSED_ANYWAY:
            wrong[name_of(route)] = reply.status, reply.body
    assert {} == wrong


async def test_another_account_cannot_be_named(caller: Caller, houses: tuple[House, House]) -> None:
    """By its id or name, in a query, a body or a path: 404 `account_not_found`."""
    own, other = houses
    holder = await token(caller, "admin", own)
    wrong: dict[str, Any] = {}
    tried = set()
    for route in OF_ACCOUNTS:
        for account in (other.account_id, other.name):
            found = []
            if "account" in route.query:
                query = f"?account={account}"
                found.append(await asked(holder, route, own, body_of(route, own), query))
            elif takes_account(route):
                body = body_of(route, own, account=account)
                found.append(await asked(holder, route, own, body))
            elif route.path.startswith("/admin/v1/accounts/{id}"):
                path = route.path.replace("{id}", account)
                found.append(await holder.ask(route.method, path, body_of(route, own)))
            for reply in found:
                tried.add(name_of(route))
                if (404, "account_not_found") != (reply.status, reply.error["code"]):
                    wrong[name_of(route)] = reply.status, reply.body
    assert {} == wrong
    # A name in a path that has the id of a record is no account's.
    assert len(tried) > 30


def lists() -> Iterable[Route]:
    """Return the reads of accounts that name no record."""
    reads = (each for each in OF_ACCOUNTS if role_of(each) is TokenRole.AUDITOR)
    return (each for each in reads if "{" not in each.path)


async def test_nothing_of_another_account_stands_in_any_list(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """Whoever sees the store finds both accounts there; a bound token finds its own alone."""
    own, other = houses
    holder = await token(caller, "auditor", own, clear=True)
    everybody = await token(caller, "auditor", clear=True)
    shown, full = [], set()
    for route in lists():
        body = body_of(route, own)
        reply = await asked(holder, route, own, body)
        assert 200 == reply.status, (name_of(route), reply.body)
        shown += [(name_of(route), mark) for mark in other.marks if mark.encode() in reply.body]
        whole = b"" if "/guard" in route.path else (await asked(everybody, route, own, body)).body
        if other.account_id.encode() in whole:
            assert own.account_id.encode() in reply.body
            full.add(route.path.removeprefix("/admin/v1/"))
    assert [] == shown
    assert {
        "accounts",
        "api-keys",
        "callbacks",
        "channel-accounts",
        "dlt-templates",
        "fallback-configurations",
        "legacy-users",
        "media",
        "messages",
        "messages/search",
        "rcs-templates",
        "test-destinations",
        "verifications",
        "verifications/search",
        "wa-templates",
    } <= full


async def test_what_the_guard_refuses_is_listed_for_the_own_account(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """The list that has no ids either is narrowed to the account of the token."""
    own, other = houses
    holder = await token(caller, "auditor", own)
    mine = (await holder.get("/admin/v1/guard/refused")).json["data"]
    everybodys = (await caller.operated("GET", "/guard/refused"))["data"]
    assert {own.account_id, other.account_id} == {each["accountId"] for each in everybodys}
    assert [own.account_id] == [each["accountId"] for each in mine]


async def test_figures_are_those_of_the_own_account(
    caller: Caller, service: Wired, houses: tuple[House, House]
) -> None:
    """Statistics without an account count the sends of the token's account."""
    own, _ = houses
    await run_due(service.due_work, await service.store.newest())
    holder = await token(caller, "auditor", own)
    mine = (await holder.get("/admin/v1/stats?by=day")).json["data"]
    assert [1] == [each["sent"] for each in mine]
    assert mine == (await caller.operated("GET", f"/stats?by=day&account={own.name}"))["data"]
    assert [2] == [each["sent"] for each in (await caller.operated("GET", "/stats?by=day"))["data"]]
