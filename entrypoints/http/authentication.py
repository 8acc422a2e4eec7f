"""Who makes a request, by the key or token that it carries (SPEC section 5, C-8)."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable

from aiohttp import web
from aiohttp.hdrs import AUTHORIZATION

from ...application.caller import ADMIN, Caller
from ...domain.api_key import Scope, UnauthorizedError
from ..wiring import Wired
from .answers import AdminTokenError, ApiKeyHeaderError
from .edge import request_id_of


def pin_caller(request: web.Request, service: Wired) -> Awaitable[Caller]:
    """Authenticate a request of the PIN service (C-8)."""
    return service.authenticating.authenticate(_bearer(request), Scope.PINS, request_id_of(request))


async def messaging_caller(request: web.Request, service: Wired) -> Caller:
    """Authenticate a request of the messaging endpoints (SPEC section 5, C-8)."""
    try:
        return await service.authenticating.authenticate(
            _only(request, "apikey").strip(), Scope.MESSAGING, request_id_of(request)
        )
    except UnauthorizedError:
        raise ApiKeyHeaderError from None


async def legacy_caller(request: web.Request, service: Wired) -> Caller:
    """Authenticate a request of the legacy platform by its token, which begins its hour anew (C-42)."""
    token = _only(request, "authentication-token").strip()
    return await service.legacy_tokens.caller(token, request_id_of(request))


def admin_caller(request: web.Request, token: str) -> Caller:
    """Authenticate an operator; raises `AdminTokenError`."""
    if not token or not hmac.compare_digest(_bearer(request).encode(), token.encode()):
        raise AdminTokenError
    return Caller("", ADMIN, request_id_of(request))


def _bearer(request: web.Request) -> str:
    """Give the key of the Authorization header."""
    scheme, _, key = _only(request, AUTHORIZATION).partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _only(request: web.Request, header: str) -> str:
    """Give what a header says; nothing when it is not there, or more than once."""
    given = request.headers.getall(header, ())
    # Every key is ASCII; bytes that are no UTF-8 would arrive as half surrogates.
    return given[0] if len(given) == 1 and given[0].isascii() else ""
