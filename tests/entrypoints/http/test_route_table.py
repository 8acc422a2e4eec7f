"""The routes' table: the needs and the subject of each route, and that the gate uses them alone (D-178)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from aiohttp import web

from tests.entrypoints.caller import Caller, Reply
from tests.entrypoints.conftest import EXPOSED, listening
from watchword.domain.accounts.api_key import Scope
from watchword.entrypoints.http.app import (
    Exposure,
    build_admin_app,
    build_app,
    build_legacy_app,
)
from watchword.entrypoints.http.route import (
    KEY_FOR_MEDIA,
    KEY_FOR_MESSAGES,
    KEY_FOR_PINS,
    LEGACY_TOKEN,
    NOTHING,
    READ,
    SANDBOX,
    TABLE,
    About,
    AccountKey,
    Needs,
    OperatorToken,
    Route,
)
from watchword.entrypoints.http.routes import (
    CALLER_ROUTES,
    LEGACY_ROUTES,
    OPERATOR_ROUTES,
    SANDBOX_OPERATOR_ROUTES,
    SANDBOX_ROUTES,
)
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
ROUTES = (
    *CALLER_ROUTES,
    *LEGACY_ROUTES,
    *OPERATOR_ROUTES,
    *SANDBOX_ROUTES,
    *SANDBOX_OPERATOR_ROUTES,
)
# The answers to a stranger without key, token and loopback name, by the needs of a route.
REFUSALS: dict[Needs, tuple[int, str]] = {
    KEY_FOR_PINS: (401, "Authorization: Bearer <API_KEY>"),
    KEY_FOR_MESSAGES: (401, "apikey: <API_KEY>"),
    KEY_FOR_MEDIA: (200, '{"code":114,'),
    LEGACY_TOKEN: (200, '{"responseCode":102,'),
    SANDBOX: (403, "localhost, 127.0.0.1 and [::1]"),
}
BY_OPERATORS = (401, "Authorization: Bearer <ADMIN_TOKEN>")
every_route = pytest.mark.parametrize(
    "route", ROUTES, ids=lambda route: f"{route.method} {route.path}"
)


async def asked(caller: Caller, route: Route, headers: dict[str, str]) -> Reply:
    """Call a route with any values of its parameters."""
    path = re.sub(r"\{\w+\}", "id_0", route.path)
    return await caller.using(None).ask(route.method, path, headers=headers)


def is_refused(reply: Reply, refusal: tuple[int, str]) -> bool:
    """Return whether an answer is the refusal of a stranger."""
    status, words = refusal
    return reply.status == status and words in reply.body.decode()


@pytest.mark.parametrize("build", [build_app, build_admin_app, build_legacy_app])
def test_no_route_is_without_its_needs(
    service: Wired, build: Callable[..., web.Application]
) -> None:
    """Every handler of an application's router has a row with its needs and its subject."""
    app = build(service, EXPOSED)
    without = [each for each in app.router.routes() if each.handler not in app[TABLE]]

    assert [] == without
    assert all(isinstance(row.needs, Needs) for row in app[TABLE].values())
    assert all(isinstance(row.about, About) for row in app[TABLE].values())


@every_route
async def test_a_route_is_opened_by_what_its_row_needs(service: Wired, route: Route) -> None:
    """Strangers get exactly the refusal of the row; a row without needs refuses nobody."""
    async with listening(service, Exposure(admin_token="t" * 32)) as caller:
        reply = await asked(caller, route, {"Host": "stranger.example"})
    by_operators = isinstance(route.needs, OperatorToken)
    expected = BY_OPERATORS if by_operators else REFUSALS.get(route.needs)
    refusals = [each for each in (*REFUSALS.values(), BY_OPERATORS) if is_refused(reply, each)]

    assert ([] if route.needs == NOTHING else [expected]) == refusals


@pytest.mark.parametrize("scope", Scope)
async def test_a_key_opens_the_rows_of_its_scope_alone(caller: Caller, scope: Scope) -> None:
    """A key with the other scope is 403, in whichever header it comes."""
    made = await caller.operated("POST", "/api-keys", {"name": "k", "scopes": [str(scope)]})
    keyed = [(each, each.needs) for each in ROUTES if isinstance(each.needs, AccountKey)]
    headers = {"Authorization": f"Bearer {made['key']}", "apikey": made["key"]}
    opened = [each for each, _ in keyed if (await asked(caller, each, headers)).status != 403]

    assert [each for each, needs in keyed if needs.scope is scope] == opened


def test_operators_routes_need_a_role() -> None:
    """All routes under /admin/v1 but the sandbox's do; a change needs more than reading."""
    # A replay changes nothing; it takes its policy in a body. A head says nothing that the log did not.
    posted = ("/admin/v1/guard/replay", "/admin/v1/log/seal")
    under = [each for each in ROUTES if each.path.startswith("/admin/v1/")]
    operators = [each for each in under if isinstance(each.needs, OperatorToken)]

    assert [each for each in under if each.needs != SANDBOX] == operators
    reading = [
        each for each in operators if each.method == "GET" or each.members or each.path in posted
    ]
    assert reading == [each for each in operators if each.needs == READ]
