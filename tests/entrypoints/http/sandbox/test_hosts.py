"""The names under which a sandbox answers while its admin token is the documented one (C-96)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import KEY, exchange, request
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
PATHS = [
    "/health/live",
    "/openapi.json",
    "/docs",
    "/v1/templates",
    "/history",
    "/admin/v1/accounts",
    "/admin/v1/sandbox/outbox",
    "/sandbox/outbox",
    "/s/none",
    "/nowhere",
]
OWN = Exposure(admin_token="t" * 32)


def named(path: str, *hosts: str) -> bytes:
    """Put a request together that names its host so."""
    return request(path, KEY, *(f"Host: {host}\r\n".encode() for host in hosts))


def port_of(caller: Caller) -> int:
    """Return a listener's port."""
    return int(caller.endpoint.make_url("/").port or 0)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "host", ["rebound.example", "127.0.0.1.rebound.example", "localhost.", "127.0.0.2", "", "[::2]"]
)
async def test_every_route_refuses_other_names(caller: Caller, path: str, host: str) -> None:
    """A page in a browser, whose name was made to mean this machine, reads nothing and does nothing."""
    answer = await exchange(port_of(caller), named(path, host))

    assert (403, "forbidden") == answer.error


async def test_no_name_is_no_loopback_name(caller: Caller) -> None:
    """HTTP/1.0 needs none; every browser sends one."""
    answer = await exchange(port_of(caller), b"GET /health/live HTTP/1.0\r\n\r\n")

    assert (403, "forbidden") == answer.error


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8080", "[::1]"])
async def test_loopback_names_are_answered(caller: Caller, host: str) -> None:
    """With a port or without one."""
    for path in ("/health/live", "/v1/templates", "/sandbox/outbox"):
        assert 200 == (await exchange(port_of(caller), named(path, host))).status


async def test_a_token_of_ones_own_needs_no_name(service: Wired) -> None:
    """Then the sandbox's own routes alone go by it (C-4)."""
    async with listening(service, OWN) as caller:
        answers = [
            (await exchange(port_of(caller), named(path, "a.example"))).status
            for path in ("/health/live", "/v1/templates", "/sandbox/outbox")
        ]

    assert [200, 200, 403] == answers
