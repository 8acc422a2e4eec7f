"""Routes that exist, routes that do not, and the forms their errors take (C-1, C-3, C-4, C-12)."""

import re

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import Serving
from watchword.entrypoints.http.app import Exposure

ADMIN_PATHS = [
    "accounts",
    "api-keys",
    "channel-accounts",
    "dlt-templates",
    "fallback-configurations",
    "pin-templates",
    "verifications",
    "events",
    "streams/pin_1/events",
]
SANDBOX_PATHS = [
    ("GET", "/sandbox/outbox"),
    ("DELETE", "/sandbox/outbox"),
    ("POST", "/sandbox/clock/advance"),
]


async def test_health_is_told_to_everybody(caller: Caller) -> None:
    """Live says that the process lives, ready that the store takes writes (C-1)."""
    nobody = caller.using(None)

    assert {"status": "live"} == (await nobody.get("/health/live")).json
    assert {"status": "ready"} == (await nobody.get("/health/ready")).json


async def test_the_description_is_told_to_everybody(caller: Caller) -> None:
    """GET /openapi.json needs no key (C-5)."""
    reply = await caller.using(None).get("/openapi.json")

    assert 200 == reply.status
    assert reply.json["openapi"].startswith("3.1")


async def test_elsewhere_errors_take_the_messaging_form(caller: Caller) -> None:
    """Outside /v1 and /admin/v1 an unknown path is answered in the form of C-18."""
    reply = await caller.get("/no/such/path")

    assert 404 == reply.status
    assert {
        "status": "error",
        "code": "not_found",
        "message": "There is nothing at this path. See GET /openapi.json.",
        "errors": [],
        "requestId": reply.headers["X-Request-Id"],
    } == reply.json


@pytest.mark.parametrize("path", ["/v1/templates", "/v1/nothing", "/health/live", "/nothing"])
async def test_every_answer_has_a_request_id(caller: Caller, path: str) -> None:
    """Successes and errors alike carry X-Request-Id, a new one each (C-12)."""
    first, second = [(await caller.get(path)).headers["X-Request-Id"] for _ in range(2)]

    assert re.fullmatch(r"req_[0-9a-f]{24,}", first)
    assert first != second


@pytest.mark.parametrize("own", ["x", "A-Za.z_09", "r" * 64])
async def test_a_callers_own_request_id_is_taken_over(caller: Caller, own: str) -> None:
    """1 to 64 characters of [A-Za-z0-9._-] are taken over, into the history too (C-12)."""
    mine = {"X-Request-Id": own}
    body = {"destination": "+919812345611", "templateId": "tpl_demo"}
    created = await caller.post("/v1/pins", body, headers=mine)
    failed = await caller.post("/v1/pins", {}, headers=mine)

    assert own == created.headers["X-Request-Id"]
    assert own == failed.json["error"]["requestId"]
    assert {own} == {each["requestId"] for each in await caller.events(created.json["pinId"])}


@pytest.mark.parametrize("own", ["", "r" * 65, "tea time", "a/b", "é", "x;y"])
async def test_any_other_request_id_is_replaced(caller: Caller, own: str) -> None:
    """An id in another form is not taken over (C-12)."""
    reply = await caller.get("/v1/templates", headers={"X-Request-Id": own})

    assert own != reply.headers["X-Request-Id"]
    assert reply.headers["X-Request-Id"].startswith("req_")


async def test_without_an_admin_token_there_is_no_management(serving: Serving) -> None:
    """The management routes are 404 for every token (C-3)."""
    async with serving(Exposure()) as caller:
        for path in ADMIN_PATHS:
            assert (404, "not_found") == (await caller.operate("GET", f"/{path}")).refusal


@pytest.mark.parametrize("token", [None, "", "sandbox-key", "sandbox-admi", "sandbox-admin2"])
async def test_management_wants_its_token(caller: Caller, token: str | None) -> None:
    """Every other key is 401 in the envelope (C-8)."""
    for path in ADMIN_PATHS:
        reply = await caller.using(token).get(f"/admin/v1/{path}")

        assert (401, "unauthorized") == reply.refusal
        assert "Bearer" == reply.headers["WWW-Authenticate"]


async def test_without_a_sandbox_there_are_no_sandbox_routes(serving: Serving) -> None:
    """Sandbox and clock routes are 404, and the sandbox provider does not exist (C-4)."""
    async with serving(sandbox=False) as caller:
        for method, path in SANDBOX_PATHS:
            assert (404, "not_found") == (await caller.ask(method, path)).refusal
            assert (404, "not_found") == (await caller.operate(method, path)).refusal
        await caller.operated("POST", "/accounts", {"name": "demo"})
        reply = await caller.operate(
            "POST",
            "/channel-accounts",
            {"account": "demo", "name": "x", "channelType": "sms", "provider": "sandbox"},
        )

        assert ["provider"] == reply.wrong


async def test_without_a_sandbox_its_paths_are_like_any_other(serving: Serving) -> None:
    """They are unknown routes outside /v1 and /admin/v1, in their form (C-18)."""
    async with serving(sandbox=False) as caller:
        for method, path in SANDBOX_PATHS:
            assert "error" == (await caller.ask(method, path)).json["status"]
    async with serving() as caller:
        unknown = await caller.get("/sandbox/nothing")
        wrong_method = await caller.ask("PUT", "/sandbox/outbox")

    assert "error" == unknown.json["status"]
    assert "method_not_allowed" == wrong_method.json["error"]["code"]


async def test_without_a_sandbox_there_is_no_demo(serving: Serving) -> None:
    """The key and template of the sandbox open nothing elsewhere (C-4)."""
    async with serving(sandbox=False) as caller:
        assert (401, "unauthorized") == (await caller.create()).refusal
        assert 0 == (await caller.operated("GET", "/accounts"))["total"]


async def test_without_a_sandbox_the_account_is_named(serving: Serving) -> None:
    """Only in sandbox mode may `account` be left out (C-35)."""
    async with serving(sandbox=False) as caller:
        assert ["account"] == (await caller.operate("POST", "/api-keys", {"name": "web"})).wrong
