"""The gate: each route is open to callers who have what its row in the table needs, and to no others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from ...application.caller import Caller
from ...domain.accounts.token_role import TokenRole
from ..wired import Wired
from .authentication import OPERATOR, Authenticate, by_account_key, by_legacy_token, operator_of
from .preferences import handled_strictly
from .requests import refuse_body
from .route import (
    TABLE,
    About,
    AccountKey,
    LegacyToken,
    Nothing,
    OperatorToken,
    Route,
    SandboxAccess,
)
from .sandbox_guard import SANDBOX_GUARD, SandboxGuard
from .unknown_parameters import refuse_unknown_parameters


class Gate:
    """Opens each route to callers who have what it needs."""

    def __init__(self, service: Wired, guard: SandboxGuard) -> None:
        self._service = service
        self._guard = guard

    def mount(self, app: web.Application, routes: Iterable[Route]) -> None:
        """Add routes to an application, each behind what it needs."""
        app[SANDBOX_GUARD] = self._guard
        table = app[TABLE] = {self._opened(route): route for route in routes}
        app.add_routes(
            web.RouteDef(route.method, route.pattern, handler, {})
            for handler, route in table.items()
        )

    def _opened(self, route: Route) -> Handler:
        match route.needs:
            case AccountKey():
                return self._to_callers(route, by_account_key(self._service, route.needs))
            case LegacyToken():
                return self._to_callers(route, by_legacy_token(self._service))
            case OperatorToken():
                return self._to_callers(route, self._operator(route, route.needs.role))
            case SandboxAccess():
                return self._to_sandbox(route)
            case Nothing():
                return self._to_anybody(route)
            case _:
                assert_never(route.needs)

    def _to_callers(self, route: Route, authenticate: Authenticate) -> Handler:
        handler, service = route.handler, self._service

        async def opened(request: web.Request) -> web.StreamResponse:
            return await handler(service, request, await authenticate(request))

        return opened

    def _to_sandbox(self, route: Route) -> Handler:
        role = TokenRole.AUDITOR if route.method == hdrs.METH_GET else TokenRole.OPERATOR

        async def opened(request: web.Request) -> web.StreamResponse:
            await self._guard.check(request, role)
            _check_query(request)
            return await route.handler(self._service.sandbox, request)

        return opened

    def _to_anybody(self, route: Route) -> Handler:
        async def opened(request: web.Request) -> web.StreamResponse:
            return await route.handler(self._service, request)

        return opened

    def _operator(self, route: Route, role: TokenRole) -> Authenticate:
        service, whole_store = self._service, route.about is About.STORE

        async def authenticate(request: web.Request) -> Caller:
            operator = request[OPERATOR] = await operator_of(service, request)
            operator.require(role, whole_store=whole_store)
            if _check_query(request) and route.bodiless:
                await refuse_body(request)
            return operator.caller

        return authenticate


def _check_query(request: web.Request) -> bool:
    """Refuse unknown query parameters; return whether the caller prefers strict handling of the body."""
    strictly = handled_strictly(request)
    refuse_unknown_parameters(request)
    return strictly
