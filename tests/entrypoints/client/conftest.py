"""Both clients, called the same way: the blocking one in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import pytest

from tests.entrypoints.caller import Caller
from watchword.client import AsyncClient, Client
from watchword.entrypoints.demo.seeding import API_KEY

Opening = Callable[..., AbstractAsyncContextManager[AsyncClient]]


class InThread:
    """The blocking client, or a group of its calls, behind the methods of the asynchronous one."""

    def __init__(self, blocking: Any) -> None:
        self._blocking = blocking

    def __getattr__(self, name: str) -> Any:
        """Return a call, or a group of calls."""
        found = getattr(self._blocking, name)
        if not callable(found):
            return InThread(found)

        async def call(*values: Any, **named: Any) -> Any:
            return await asyncio.to_thread(found, *values, **named)

        return call


class Pauses:
    """A clock that only pauses move; they take no time, and `meanwhile` happens in each."""

    def __init__(self, meanwhile: Callable[[], Awaitable[None]] | None = None) -> None:
        self._meanwhile = meanwhile
        self._loop = asyncio.get_running_loop()
        self._now = 1_000.0
        self.made: list[float] = []

    def clock(self) -> float:
        """Return the time in seconds."""
        return self._now

    async def asynchronous(self, seconds: float) -> None:
        """Pause in a task."""
        self.made.append(seconds)
        self._now += seconds
        if self._meanwhile is not None:
            await self._meanwhile()

    def blocking(self, seconds: float) -> None:
        """Pause in a thread."""
        asyncio.run_coroutine_threadsafe(self.asynchronous(seconds), self._loop).result()


@pytest.fixture(params=["asynchronous", "blocking"])
def opening(request: pytest.FixtureRequest) -> Opening:
    """Open either client on a base URL; both have the methods of the asynchronous one, and `Pauses`."""

    @asynccontextmanager
    async def opened(
        url: str, key: str = API_KEY, pauses: Pauses | None = None, **settings: Any
    ) -> AsyncIterator[AsyncClient]:
        if pauses is not None:
            settings |= {"clock": pauses.clock, "sleep": getattr(pauses, request.param)}
        if request.param == "asynchronous":
            async with AsyncClient(url, key, **settings) as client:
                yield client
        else:
            with Client(url, key, **settings) as blocking:
                yield cast("AsyncClient", InThread(blocking))

    return opened


@pytest.fixture
async def client(caller: Caller, opening: Opening) -> AsyncIterator[AsyncClient]:
    """Yield either client of the sandbox that `caller` calls."""
    async with opening(base_url(caller)) as opened:
        yield opened


def base_url(caller: Caller) -> str:
    """Return the address of the service that `caller` calls."""
    return str(caller.endpoint.make_url(""))
