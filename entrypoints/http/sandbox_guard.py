"""Who may call the sandbox: loopback names, or the operator where it is public (C-4, C-65)."""

from __future__ import annotations

import re
from functools import lru_cache

from aiohttp import web
from aiohttp.hdrs import HOST

from ...domain.accounts.api_key import ForbiddenError
from .authentication import admin_caller

_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)


def check_host(request: web.Request) -> None:
    """
    Raise `ForbiddenError` for a request under any name but a loopback one.

    A page in a browser can be made to call a loopback port, but not under a loopback name.
    """
    named = request.headers.getall(HOST, ())
    if len(named) != 1 or not _is_loopback(named[0]):
        raise ForbiddenError("The sandbox answers only under localhost, 127.0.0.1 and [::1].")


# Every request asks, and nearly all by one name.
@lru_cache(maxsize=64)
def _is_loopback(host: str) -> bool:
    return _LOOPBACK.fullmatch(host) is not None


class SandboxGuard:
    """Admits requests under a loopback name; with a `public_token`, those that carry that instead."""

    def __init__(self, public_token: str | None = None) -> None:
        self._public_token = public_token

    def check(self, request: web.Request) -> None:
        """Raise `UnauthorizedError` or `ForbiddenError` for any other request."""
        if self._public_token is not None:
            admin_caller(request, self._public_token)
            return
        check_host(request)


SANDBOX_GUARD = web.AppKey("sandbox_guard", SandboxGuard)
