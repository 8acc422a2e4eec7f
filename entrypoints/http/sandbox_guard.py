"""The callers of the sandbox: loopback names, or operators where it is public (C-4, C-65)."""

from __future__ import annotations

import re
from functools import lru_cache

from aiohttp import web
from aiohttp.hdrs import HOST

from ...domain.accounts.api_key import ForbiddenError
from ...domain.accounts.token_role import TokenRole
from ..wired import Wired
from .authentication import operator_of

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
    """
    Admits requests under a loopback name; to a `public` sandbox, those with an operator's token instead.

    A token that is bound to an account opens nothing here: the outbox is the whole store's. Nor does one
    that sees numbers masked: the outbox has numbers and codes as they are.
    """

    def __init__(self, public: Wired | None = None) -> None:
        self._public = public

    async def check(self, request: web.Request, role: TokenRole) -> None:
        """Raise `UnauthorizedError` or `ForbiddenError` for any other request; a token needs this role."""
        if self._public is None:
            check_host(request)
            return
        operator = await operator_of(self._public, request)
        operator.require(role, whole_store=True)
        if operator.caller.masked:
            raise ForbiddenError(
                "This token sees numbers masked, and the outbox has them and the codes as they are."
                " Use one that was made with `clear`."
            )


SANDBOX_GUARD = web.AppKey("sandbox_guard", SandboxGuard)
