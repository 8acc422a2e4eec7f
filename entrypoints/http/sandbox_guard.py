"""Who may ask the sandbox: loopback names, or the operator where it is public (C-4, C-65)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from aiohttp import web
from aiohttp.hdrs import HOST
from aiohttp.typedefs import Handler

from ...domain.api_key import ForbiddenError
from .authentication import admin_caller
from .preferences import handled_strictly
from .query_names import like, refuse_unknown_parameters

# The routes stand under /admin/v1 like the rest of C-35 to C-39, and at the short path (D-8).
OPERATORS_PREFIX = "/admin/v1/sandbox"
SHORT_PREFIX = "/sandbox"
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
    Lets in who asks under a loopback name; with a `public_token`, who has that instead.

    The routes stand under each of the `prefixes`.
    """

    def __init__(
        self,
        public_token: str | None = None,
        prefixes: Sequence[str] = (OPERATORS_PREFIX, SHORT_PREFIX),
    ) -> None:
        self._public_token = public_token
        self._prefixes = prefixes

    def check(self, request: web.Request) -> None:
        """Raise `UnauthorizedError` or `ForbiddenError` for anybody else."""
        if self._public_token is not None:
            admin_caller(request, self._public_token)
            return
        check_host(request)

    def table(self, routes: Iterable[tuple[str, str, Handler]]) -> list[web.RouteDef]:
        """Return guarded routes under the prefixes; each has a method, a path and a handler."""
        return [
            web.route(method, f"{prefix}/{path}", self._guarded(handler))
            for prefix in self._prefixes
            for method, path, handler in routes
        ]

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            self.check(request)
            # What that asks for is always so here, and its answer says it.
            handled_strictly(request)
            refuse_unknown_parameters(request)
            return await handler(request)

        return like(handler, guarded)
