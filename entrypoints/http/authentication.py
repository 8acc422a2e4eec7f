"""Who makes a request, by the key or token that it carries (SPEC section 5, C-8)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.hdrs import AUTHORIZATION

from ...application.caller import Caller
from ...application.operators.operator import Operator
from ...domain.accounts.api_key import UnauthorizedError
from ..wired import Wired
from .error_answers import AdminTokenError, ApiKeyHeaderError
from .media_upload_answers import no_key, wrong_key
from .request_ids import request_id_of
from .route import AccountKey

# The operator who makes a request, for routes that show more than a caller has.
OPERATOR = web.RequestKey("operator", Operator)
Authenticate = Callable[[web.Request], Awaitable[Caller]]


def by_account_key(service: Wired, wanted: AccountKey) -> Authenticate:
    """Return what authenticates a request by an API key that has a scope (SPEC section 5, C-8)."""
    check, scope, header = service.authenticating.authenticate, wanted.scope, wanted.header

    def by_bearer(request: web.Request) -> Awaitable[Caller]:
        return check(_bearer(request), scope, request_id_of(request))

    async def by_own_header(request: web.Request) -> Caller:
        try:
            return await check(_only(request, header).strip(), scope, request_id_of(request))
        except UnauthorizedError:
            if not wanted.within_200:
                raise ApiKeyHeaderError from None
            raise (wrong_key() if request.headers.get(header) else no_key()) from None

    return by_bearer if header == AUTHORIZATION else by_own_header


def by_legacy_token(service: Wired) -> Authenticate:
    """Return what authenticates a request by a legacy token, which begins its hour anew (C-42)."""

    def authenticate(request: web.Request) -> Awaitable[Caller]:
        token = _only(request, "authentication-token").strip()
        return service.legacy_tokens.caller(token, request_id_of(request))

    return authenticate


async def operator_of(service: Wired, request: web.Request) -> Operator:
    """Authenticate an operator; raises `AdminTokenError`."""
    try:
        return await service.operators.authenticate(_bearer(request), request_id_of(request))
    except UnauthorizedError:
        raise AdminTokenError from None


def _bearer(request: web.Request) -> str:
    """Return the key of the Authorization header."""
    scheme, _, key = _only(request, AUTHORIZATION).partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _only(request: web.Request, header: str) -> str:
    """Return what a header says; nothing when it is not there, or more than once."""
    given = request.headers.getall(header, ())
    # Every key is ASCII; bytes that are no UTF-8 would arrive as half surrogates.
    return given[0] if len(given) == 1 and given[0].isascii() else ""
