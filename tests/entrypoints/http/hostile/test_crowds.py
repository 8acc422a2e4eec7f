"""Crowds at the listener: idle connections make room, and no client has more than half (D-142)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from ipaddress import ip_network

import pytest

from tests.entrypoints.conftest import listening
from tests.entrypoints.http.hostile.raw_client import (
    HOST,
    JSON,
    KEY,
    RawAnswer,
    Wire,
    request,
    wire,
)
from watchword.entrypoints.http.app import Exposure
from watchword.entrypoints.http.listener.patience import Patience
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.entrypoints.wired import Wired

ONE, OTHER, THIRD = "127.0.0.1", "127.0.0.2", "127.0.0.3"
HEAD = request("/v1/templates", HOST, KEY)
BODY_TO_COME = request(
    "/v1/pins",
    HOST,
    KEY,
    JSON,
    b"Content-Length: 10\r\nExpect: 100-continue\r\n",
    method="POST",
)
BEHIND_PROXIES = Exposure(
    admin_token=SANDBOX_ADMIN_TOKEN, trusted_proxies=(ip_network("127.0.0.0/30"),)
)


@pytest.fixture
def patience() -> Patience:
    """Let four connections in, and two of a client."""
    return Patience(connections=4)


@pytest.fixture
async def lines() -> AsyncIterator[AsyncExitStack]:
    """Yield a stack that closes a test's connections at its end."""
    async with AsyncExitStack() as stack:
        yield stack


async def asked(line: Wire) -> int:
    """Send a request, and return the status of the answer."""
    await line.send(HEAD)
    return (await line.answer()).status


async def refused(port: int, source: str) -> RawAnswer:
    """Connect in vain, and return the refusal."""
    async with wire(port, source) as line:
        answer = await line.answer()
        assert b"" == await line.ended()
        return answer


async def test_the_longest_idle_connection_makes_room(port: int, lines: AsyncExitStack) -> None:
    """Idleness counts from its last answer, not from its age, for every client; the others stay."""
    sources = (ONE, ONE, OTHER, OTHER)
    first, second, third, fourth = [
        await lines.enter_async_context(wire(port, each)) for each in sources
    ]
    for line in (fourth, second, first, third, fourth):
        assert 200 == await asked(line)

    for longest in (second, first):
        newcomer = await lines.enter_async_context(wire(port, THIRD))

        assert 200 == await asked(newcomer)
        assert b"" == await longest.ended()

    assert [200, 200] == [await asked(line) for line in (third, fourth)]


async def test_who_has_not_said_a_word_makes_room_too(port: int, lines: AsyncExitStack) -> None:
    """A silent connection is idle from its start, so silent clients shut nobody out."""
    silent = [await lines.enter_async_context(wire(port, each)) for each in (ONE, OTHER) * 2]
    newcomer = await lines.enter_async_context(wire(port, THIRD))

    assert 200 == await asked(newcomer)
    assert b"" == await silent[0].ended()
    assert [200] * 3 == [await asked(line) for line in silent[1:]]


async def test_what_is_under_way_makes_no_room(port: int, lines: AsyncExitStack) -> None:
    """Half a head or half a body is not idle; without an idle one, the newcomer is 503 (C-9)."""
    for _ in range(2):
        line = await lines.enter_async_context(wire(port, ONE))
        await line.send(HEAD[:20])
        # The answer to a later request shows that this one has arrived.
        async with wire(port, THIRD) as later:
            assert 200 == await asked(later)
    for _ in range(2):
        line = await lines.enter_async_context(wire(port, OTHER))
        await line.send(BODY_TO_COME)
        assert 100 == (await line.answer(bodiless=True)).status
    answer = await refused(port, THIRD)

    assert (503, "unavailable") == answer.error
    assert "1" == answer.headers["Retry-After"]


async def test_one_client_holds_half(port: int, lines: AsyncExitStack) -> None:
    """Its next connection is 503, idle or not, while others are accepted; a closed one frees a place."""
    first, _ = [await lines.enter_async_context(wire(port, ONE)) for _ in range(2)]
    answer = await refused(port, ONE)

    assert (503, "unavailable") == answer.error
    assert "1" == answer.headers["Retry-After"]
    assert b"from this address" in answer.body
    assert 200 == await asked(await lines.enter_async_context(wire(port, OTHER)))

    await first.send(request("/v1/templates", HOST, KEY, b"Connection: close\r\n"))
    await first.answer()
    await first.ended()

    assert 200 == await asked(await lines.enter_async_context(wire(port, ONE)))


async def test_a_closed_idle_connection_counts_for_nobody(port: int, lines: AsyncExitStack) -> None:
    """The client whose connection made room may open another at once."""
    mine = [await lines.enter_async_context(wire(port, ONE)) for _ in range(2)]
    for source in (OTHER, OTHER, THIRD):
        assert 200 == await asked(await lines.enter_async_context(wire(port, source)))

    assert b"" == await mine[0].ended()
    assert 200 == await asked(await lines.enter_async_context(wire(port, ONE)))


async def test_a_trusted_proxy_is_everybody(service: Wired, lines: AsyncExitStack) -> None:
    """Its connections count for no client, up to the listener's bound; a stranger's do."""
    patience = Patience(connections=4)
    async with listening(service, BEHIND_PROXIES, patience=patience) as caller:
        port = int(caller.endpoint.make_url("/").port or 0)
        proxied = [await lines.enter_async_context(wire(port, ONE)) for _ in range(4)]

        assert [200] * 4 == [await asked(line) for line in proxied]

        for _ in range(2):
            stranger = await lines.enter_async_context(wire(port, "127.0.0.9"))
            assert 200 == await asked(stranger)

        assert 503 == (await refused(port, "127.0.0.9")).status
