"""What the routes of operators share: who opens them, for which account, and how records are shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from ...application.caller import Caller
from ...application.paging import Listed, Paging
from ...domain.errors import FieldProblem, ValidationFailedError
from .. import sandbox as sandbox_mode
from ..codec import encode, unstructure
from ..wiring import Wired
from .answers import Answer, list_answer
from .authentication import admin_caller
from .preferences import handled_strictly
from .query_names import is_bodiless, like, refuse_unknown_parameters
from .requests import paging_of, refuse_body

Route = Callable[..., web.RouteDef]
OperatorHandler = Callable[[web.Request, Caller], Awaitable[web.StreamResponse]]


class Operators:
    """Opens the routes under `/admin/v1` to whoever has the admin token, and to nobody else (C-35)."""

    def __init__(self, admin_token: str) -> None:
        self._token = admin_token

    def table(self, routes: Iterable[tuple[Route, str, OperatorHandler]]) -> list[web.RouteDef]:
        """Give the routes; each has aiohttp's word for its method, a path below, and a handler."""
        return [
            route(f"/admin/v1/{path}", self._opened(handler)) for route, path, handler in routes
        ]

    def _opened(self, handler: OperatorHandler) -> Handler:
        bare = is_bodiless(handler)

        async def opened(request: web.Request) -> web.StreamResponse:
            by = admin_caller(request, self._token)
            # Of query parameters that is always so here, and the answer says it.
            strictly = handled_strictly(request)
            refuse_unknown_parameters(request)
            if strictly and bare:
                await refuse_body(request)
            return await handler(request, by)

        return like(handler, opened)


async def acting_for(service: Wired, by: Caller, account: str | None) -> Caller:
    """Give the operator acting for an account; the sandbox's demo account by default (C-35)."""
    if account is None:
        if service.sandbox is None:
            raise ValidationFailedError([FieldProblem("account", "is required")])
        account = sandbox_mode.ACCOUNT
    return Caller(await service.accounts.resolve(account), by.actor, by.request_id)


async def account_filter(service: Wired, request: web.Request) -> str | None:
    """Give the id of the account that a list is narrowed to, if one is named (D-114)."""
    account = request.query.get("account")
    return await service.accounts.resolve(account) if account else None


async def records_answer(
    request: web.Request,
    by: Caller,
    service: Wired,
    records: Callable[[str | None, Paging], Awaitable[Listed[Any]]],
) -> web.Response:
    """Give a page of records, of all accounts or of the one that the request names."""
    listed = await records(await account_filter(service, request), paging_of(request))
    return list_answer(listed).response(by.request_id)


def record_answer(by: Caller, record: Any, status: int = 200) -> web.Response:
    """Give one record."""
    shown = record if isinstance(record, dict) else unstructure(record)
    return Answer(status, encode(shown)).response(by.request_id)
