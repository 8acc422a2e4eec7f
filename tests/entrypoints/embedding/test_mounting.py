"""What comes along when the service's routes stand in an embedder's own application (D-540)."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import BaseTestServer, TestServer
from attrs import frozen

import watchword
from tests.crash.waiting import until
from watchword.application.ports.event_store import LONGEST_SLEEP
from watchword.entrypoints.http.listener.bodies import MAX_BODY

ADMIN = {"Authorization": "Bearer of-the-embedder"}
KEY = {"Authorization": "Bearer sandbox-key"}
JSON = {**KEY, "Content-Type": "application/json"}
ISSUE = {"destination": "+919812345610", "templateId": "tpl_demo"}
IN_TIME = LONGEST_SLEEP.total_seconds() / 4


@web.middleware
async def of_the_embedder(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer whatever is raised in words of one's own, and sign every answer."""
    try:
        answer = await handler(request)
    except Exception as error:
        answer = web.Response(status=418, text=f"a teapot: {type(error).__name__}")
    answer.headers["X-Shop"] = "tea"
    return answer


async def shop(_: web.Request) -> web.Response:
    """Show a page of the embedder's."""
    return web.Response(text="tea")


@frozen
class Mounted:
    """A service, the embedder's server that it stands in, and a client of that."""

    service: watchword.Service
    server: BaseTestServer
    session: ClientSession


@asynccontextmanager
async def mounted(client_max_size: int = 64) -> AsyncIterator[Mounted]:
    """Serve a shop with a sandbox under `/codes`; the shop itself reads very small bodies alone."""
    async with watchword.open("memory://", sandbox=True) as service:
        app = web.Application(middlewares=[of_the_embedder], client_max_size=client_max_size)
        app.router.add_get("/", shop)
        routes = watchword.http_routes(service, admin_token="of-the-embedder")
        app.add_subapp("/codes", routes)
        async with TestServer(app) as server, ClientSession(server.make_url("/")) as session:
            yield Mounted(service, server, session)


@pytest.mark.parametrize("client_max_size", [64, 1024**3])
async def test_the_service_bounds_bodies_itself(client_max_size: int) -> None:
    """Neither less nor more of a body is read than on a listener of its own."""
    fits = {**ISSUE, "referenceId": "x" * 64}
    async with mounted(client_max_size) as at:
        async with at.session.post("/codes/v1/pins", json=fits, headers=KEY) as answer:
            taken = answer.status
        async with at.session.post(
            "/codes/v1/pins", data=io.BytesIO(b" " * (MAX_BODY + 1)), headers=JSON
        ) as answer:
            refused = answer.status, (await answer.json())["error"]["code"]

    assert 201 == taken
    assert (413, "payload_too_large") == refused


async def test_a_refusal_is_an_answer_to_the_embedders_middlewares() -> None:
    """They see answers in the service's form, and never an exception that they would put otherwise."""
    async with mounted() as at:
        async with at.session.post("/codes/v1/pins", json=ISSUE) as answer:
            refused = (
                answer.status,
                (await answer.json())["error"]["code"],
                answer.headers["X-Shop"],
            )
        async with at.session.get("/codes/nothing") as answer:
            missing = answer.status, (await answer.json())["code"]
        async with at.session.get("/nothing") as answer:
            theirs = answer.status, await answer.text()
        async with at.session.get("/") as answer:
            own = answer.status, await answer.text()

    assert (401, "unauthorized", "tea") == refused
    assert (404, "not_found") == missing
    assert (418, "a teapot: HTTPNotFound") == theirs
    assert (200, "tea") == own


async def test_every_answer_has_the_signals_of_the_embedder() -> None:
    """A hook that sets a header on what is sent meets ours as it meets its own (D-542)."""

    async def marked(_: web.Request, response: web.StreamResponse) -> None:
        response.headers["X-Seen"] = "yes"

    async with watchword.open("memory://", sandbox=True) as service:
        app = web.Application()
        app.on_response_prepare.append(marked)
        app.add_subapp("/codes", service.http_app())
        async with TestServer(app) as server, ClientSession(server.make_url("/")) as session:
            async with session.get("/codes/v1/templates", headers=KEY) as answer:
                got = answer.status, answer.content_type, "data" in await answer.json()
                seen = answer.headers["X-Seen"]
            async with session.head("/codes/v1/templates", headers=KEY) as answer:
                head = answer.status, await answer.read()

    assert (200, "application/json", True) == got
    assert "yes" == seen
    assert (200, b"") == head


async def test_a_request_keeps_its_id() -> None:
    """The caller's stands in the answer and in the log; without one, the service makes one."""
    async with mounted() as at:
        given = {**KEY, "X-Request-Id": "of-the-shop"}
        async with at.session.post("/codes/v1/pins", json=ISSUE, headers=given) as answer:
            pin_id = (await answer.json())["pinId"]
            assert "of-the-shop" == answer.headers["X-Request-Id"]
        path = f"/codes/admin/v1/events?stream={pin_id}"
        async with at.session.get(path, headers=ADMIN) as answer:
            events = (await answer.json())["data"]
            made = answer.headers["X-Request-Id"]

    assert {"of-the-shop"} == {each["requestId"] for each in events}
    assert made.startswith("req_")


async def test_limits_of_an_account_hold() -> None:
    """An account's requests a second are counted at its keys, wherever they come in."""
    async with mounted() as at:
        limits = {"requestsPerSecond": 1}
        async with at.session.put(
            "/codes/admin/v1/accounts/demo/limits", json=limits, headers=ADMIN
        ) as answer:
            assert 200 == answer.status
        statuses = []
        for _ in range(8):
            async with at.session.get("/codes/v1/templates", headers=KEY) as answer:
                statuses.append(answer.status)

    assert 429 in statuses


async def test_the_end_of_the_application_ends_what_waits() -> None:
    """A reader who waits for the next event does not hold the embedder's shutdown up."""
    async with mounted() as at:
        async with at.session.get("/codes/admin/v1/events?limit=1000", headers=ADMIN) as answer:
            after = (await answer.json())["next"]
        path = f"/codes/admin/v1/events?after={after}&wait=30"
        waiting = asyncio.create_task(at.session.get(path, headers=ADMIN))
        await until(lambda: bool(at.service._lease.parts.watching_log.waiting))
        async with asyncio.timeout(IN_TIME):
            await at.server.close()
            answer = await waiting
            answer.release()

    assert 200 == answer.status
