"""Most auditors read with everything masked that says something about a person (C-84)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.roles.houses import House, asked, bodies, token
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.http.route import About, OperatorToken, Route
from watchword.entrypoints.http.routes import OPERATOR_ROUTES

STORES = ("memory",)
# An operator who unmasks, in vain.
UNMASKED = "mask=false"


async def read(holder: Caller, house: House) -> AsyncIterator[tuple[str, bytes]]:
    """Yield the answer of every read about a house, and of the histories of its records."""
    for route in OPERATOR_ROUTES:
        if route.about is About.ACCOUNT and _is_read(route):
            body = bodies(house).get(f"{route.method} {route.path}")
            reply = await asked(holder, route, house, body)
            # The query of a list without an account is that of the whole store.
            assert 200 == reply.status or route.path == "/admin/v1/guard", (route, reply.body)
            yield f"{route.method} {route.path}", reply.body
    for name, record in house.ids.items():
        if name.endswith(":id") and not name.startswith("accounts"):
            reply = await holder.get(f"/admin/v1/streams/{record}/events?{UNMASKED}")
            yield f"the history of {name}", reply.body
    yield "the log", (await holder.get(f"/admin/v1/events?limit=1000&{UNMASKED}")).body


def _is_read(route: Route) -> bool:
    return route.needs == OperatorToken(TokenRole.AUDITOR)


async def test_an_auditor_reads_nobodys_number(caller: Caller, houses: tuple[House, House]) -> None:
    """Neither in lists, nor in records, nor in events, whatever the query asks for."""
    for holder in (await token(caller, "auditor"), await token(caller, "auditor", houses[0])):
        shown = [
            (where, each)
            async for where, body in read(holder, houses[0])
            for house in houses
            for each in house.private
            if each.encode() in body
        ]
        assert [] == shown


async def test_what_is_hidden_is_there(caller: Caller, houses: tuple[House, House]) -> None:
    """An auditor with a clear token, and an operator, read all of it; so the test above can fail."""
    own, _ = houses
    for holder in (
        await token(caller, "auditor", clear=True),
        await token(caller, "operator"),
    ):
        found = {
            each: {where async for where, body in read(holder, own) if each.encode() in body}
            for each in own.private
        }
        assert not [each for each, places in found.items() if not places]
        pin, *_ = own.private
        assert {
            "GET /admin/v1/verifications",
            "POST /admin/v1/verifications/search",
            "the history of verifications:id",
            "the log",
        } <= found[pin]


async def test_a_masked_record_keeps_its_form(caller: Caller, houses: tuple[House, House]) -> None:
    """Members are there with the ends of a number, or `***`; what is about nobody stays."""
    own, _ = houses
    auditor = await token(caller, "auditor", own)
    clear = (await caller.operated("GET", f"/verifications?account={own.name}"))["data"]
    masked = (await auditor.get("/admin/v1/verifications")).json["data"]
    number = str(clear[0]["destination"])

    assert [each.keys() for each in clear] == [each.keys() for each in masked]
    assert number[:5] == masked[0]["destination"][:5]
    assert number[-2:] == masked[0]["destination"][-2:]
    assert "***" == masked[0]["referenceId"]
    assert clear[0]["pinId"] == masked[0]["pinId"]


async def test_an_auditor_finds_by_what_is_hidden(
    caller: Caller, houses: tuple[House, House]
) -> None:
    """Whoever knows a number may look for it; the answer does not repeat it."""
    own, _ = houses
    auditor = await token(caller, "auditor", own)
    wanted = {"destination": own.private[0]}
    found = await auditor.post("/admin/v1/verifications/search", wanted)
    assert 1 == found.json["total"]
    assert own.private[0].encode() not in found.body
