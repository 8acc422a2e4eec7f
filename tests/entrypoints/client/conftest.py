"""Both clients, called the same way: the blocking one in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
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


@pytest.fixture(params=["asynchronous", "blocking"])
def opening(request: pytest.FixtureRequest) -> Opening:
    """Open either client on a base URL; both have the methods of the asynchronous one."""

    @asynccontextmanager
    async def opened(url: str, key: str = API_KEY, **settings: Any) -> AsyncIterator[AsyncClient]:
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
