"""Every use of a token that changes something names the token as its actor (C-84)."""

from __future__ import annotations

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.roles.houses import House, asked, bodies
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.http.route import About, OperatorToken, Route
from watchword.entrypoints.http.routes import OPERATOR_ROUTES

STORES = ("memory",)
# The address stands at the provider; nobody was there to be erased; a person is shown, and nothing is
# changed; the sandbox has no account that submits.
SILENT = {
    "POST /admin/v1/channel-accounts/{id}/webhook",
    "POST /admin/v1/people/erase",
    "POST /admin/v1/people/show",
    "POST /admin/v1/wa-templates/{name}/submit",
}


async def test_the_token_is_the_actor(caller: Caller, houses: tuple[House, House]) -> None:
    """In the events of every route that acts, also where a use case acts for the account."""
    own, _ = houses
    made = await caller.operated(
        "POST", "/tokens", {"name": "desk", "role": "admin", "account": own.name}
    )
    holder = caller.using(str(made["token"]))
    assert 200 == (await holder.get("/admin/v1/whoami")).status
    acting = [
        each
        for each in OPERATOR_ROUTES
        if each.about is About.ACCOUNT and each.needs != OperatorToken(TokenRole.AUDITOR)
    ]
    silent, others = set(), {}
    for route in sorted(acting, key=_when):
        name = f"{route.method} {route.path}"
        newest = await _newest(caller)
        await asked(holder, route, own, bodies(own).get(name))
        new = (await caller.operated("GET", f"/events?limit=100&after={newest}"))["data"]
        changes = [each for each in new if each["type"] != "LogRead"]
        if not changes:
            silent.add(name)
        if {each["actor"] for each in changes} - {made["id"]}:
            others[name] = changes
    assert ({}, SILENT) == (others, silent)


async def _newest(caller: Caller) -> int:
    return int((await caller.operated("GET", "/events?limit=1000"))["next"])


def _when(route: Route) -> tuple[bool, bool, int]:
    """Order routes so that each has something to change."""
    undoes = route.path.endswith(("/enable", "/submit"))
    ends = route.method == "DELETE" or route.path.endswith("/archive")
    return ends, undoes, -len(route.path)
