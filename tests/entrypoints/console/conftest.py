"""Visitors of the console, each with a browser of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest
from aiohttp import ClientSession, CookieJar

from tests.entrypoints.caller import Caller as Client
from tests.entrypoints.conftest import listening
from tests.entrypoints.console.visitor import Visitor
from watchword.application.caller import ADMIN, Caller
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.mounting import console_routes
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN
from watchword.entrypoints.wired import Wired

ConsoleAs = Callable[..., Awaitable[Visitor]]


@pytest.fixture
async def caller(service: Wired) -> AsyncIterator[Client]:
    """Yield a client of a service that has the console."""
    pages = console_routes(service)
    async with listening(service, console=pages) as client:
        yield client


@pytest.fixture
async def visitors(caller: Client) -> AsyncIterator[Callable[[], Awaitable[Visitor]]]:
    """Return what opens the browser of another visitor, who has not signed in."""
    async with AsyncExitStack() as stack:

        async def opened() -> Visitor:
            jar = CookieJar(unsafe=True)
            session = await stack.enter_async_context(ClientSession(cookie_jar=jar))
            return Visitor(session, caller.endpoint)

        yield opened


@pytest.fixture
async def console(visitors: Callable[[], Awaitable[Visitor]]) -> Visitor:
    """Return a visitor who signed in with the service's admin token."""
    visitor = await visitors()
    await visitor.sign_in(SANDBOX_ADMIN_TOKEN)
    return visitor


@pytest.fixture
def console_as(service: Wired, visitors: Callable[[], Awaitable[Visitor]]) -> ConsoleAs:
    """Return what signs a visitor in with a new token: of a role, and bound to an account if one is named."""

    async def signed_in(
        role: TokenRole, account: str | None = None, *, clear: bool = False
    ) -> Visitor:
        root = Caller("", ADMIN, "req")
        account_id = await service.accounts.resolve(root, account) if account else None
        made = await service.operator_tokens.create(
            root, f"a {role}", role=role, account_id=account_id, clear=clear
        )
        visitor = await visitors()
        await visitor.sign_in(made.token)
        return visitor

    return signed_in
