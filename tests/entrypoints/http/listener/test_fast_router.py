"""The table of routes finds what aiohttp's router finds (D-47)."""

import asyncio

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from hypothesis import example, given
from hypothesis import strategies as st

from tests.entrypoints.caller import Caller
from watchword.entrypoints.http.listener.fast_router import FastRouter

PIECES = ["v1", "pins", "verify", "pin_1", "outbox", "", "{pinId}", "%2F", "%76erify", "é", "a.b"]
ENDS = ["", "?", "?q=/verify", "#", "#/verify"]
PATHS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map(
    lambda all_: "/" + "/".join(all_)
)


def routes() -> web.Application:
    """Return an application with routes of every kind that the service has."""
    app = web.Application()

    async def found(_: web.Request) -> web.Response:
        return web.Response()

    app.router.add_get("/outbox", found)
    app.router.add_post("/v1/pins", found)
    app.router.add_post("/v1/pins/{pinId}/verify", found)
    app.router.add_get("/v1/{file}", found)
    return app


@given(
    method=st.sampled_from(["GET", "HEAD", "POST", "PUT"]),
    path=st.tuples(PATHS, st.sampled_from(ENDS)).map("".join),
)
@example(method="GET", path="/outbox/pin_1/")
@example(method="POST", path="/v1/pins/{pinId}/verify")
@example(method="POST", path="/v1/pins//verify")
@example(method="POST", path="/v1/pins/%2F/verify")
@example(method="POST", path="/v1/pins/pin_1?q=/verify")
@example(method="POST", path="/v1/pins/pin_1#/verify")
@example(method="POST", path="/v1/pins/pin_1/verify?q")
def test_a_route_is_the_one_that_aiohttp_finds(method: str, path: str) -> None:
    """Routes and path values of the table are aiohttp's; other requests are left to aiohttp."""
    app = routes()
    left = web.Response()

    async def leave(_: web.BaseRequest) -> web.StreamResponse:
        return left

    async def both() -> None:
        request = make_mocked_request(method, path, app=app)
        expected = await app.router.resolve(request)

        if await FastRouter(app, leave)(request) is left:
            return

        assert expected.http_exception is None
        assert expected.route is request.match_info.route
        assert dict(expected) == dict(request.match_info)

    asyncio.run(both())


@pytest.mark.parametrize("path", ["/sandbox/outbox/x/", "/v1/pins/x/", "/v1/pins//verify"])
async def test_a_path_beside_a_route_is_none(caller: Caller, path: str) -> None:
    """A path that only resembles a route's is 404 or 405, and never an error of ours."""
    assert (await caller.post(path, {})).status in (404, 405)
