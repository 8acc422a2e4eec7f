"""The sandbox: its outbox and its clock (C-39). No key; loopback names only (C-4, C-65)."""

from __future__ import annotations

import hmac
import re
from datetime import timedelta
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler
from attrs import Attribute, field, frozen

from ....adapters.channels.sandbox import SandboxMessage
from ....domain.api_key import ForbiddenError, UnauthorizedError
from ...sandbox import Sandbox
from ...typed_requests import channel_named
from ..answers import Answer
from ..codec import encode, unstructure, wire_time
from ..edge import request_id_of
from ..requests import bearer, body_as

# The longest move at once: ten years, as the longest duration (C-16).
_MAX_ADVANCE = 3660 * 24 * 60 * 60
_LOOPBACK = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
# The routes stand under /admin/v1 like the rest of C-35 to C-39, and at the short path (D-8).
_PREFIXES = ("/admin/v1/sandbox", "/sandbox")


def _seconds(_: object, __: Attribute[Any], value: int) -> None:
    if not 1 <= value <= _MAX_ADVANCE:
        raise ValueError(f"must be from 1 to {_MAX_ADVANCE}")


@frozen
class AdvanceRequest:
    """How far to move the clock on."""

    seconds: int = field(validator=_seconds)


class SandboxRoutes:
    """What a sandbox adds; with `public_token` it wants that token instead of a loopback `Host`."""

    def __init__(self, sandbox: Sandbox, public_token: str | None = None) -> None:
        self._sandbox = sandbox
        self._public_token = public_token

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            route
            for prefix in _PREFIXES
            for route in (
                web.get(f"{prefix}/outbox", self._guarded(self.outbox)),
                web.delete(f"{prefix}/outbox", self._guarded(self.clear)),
                web.post(f"{prefix}/clock/advance", self._guarded(self.advance)),
            )
        ]

    async def outbox(self, request: web.Request) -> web.Response:
        """Show what was sent, the newest last, codes included."""
        query = request.query
        channel = query.get("channel")
        messages = self._sandbox.provider.outbox(
            query.get("destination"),
            None if channel is None else channel_named(channel),
            query.get("after"),
        )
        body = {"data": [_shown(message) for message in messages]}
        return Answer(200, encode(body)).response(request_id_of(request))

    async def clear(self, request: web.Request) -> web.Response:
        """Empty the outbox."""
        self._sandbox.provider.clear()
        return Answer(200, encode({"data": []})).response(request_id_of(request))

    async def advance(self, request: web.Request) -> web.Response:
        """Move the clock on, and do what falls due."""
        wanted = await body_as(request, AdvanceRequest)
        now = await self._sandbox.advance(timedelta(seconds=wanted.seconds))
        return Answer(200, encode({"now": wire_time(now)})).response(request_id_of(request))

    def _guarded(self, handler: Handler) -> Handler:
        async def guarded(request: web.Request) -> web.StreamResponse:
            self._check(request)
            return await handler(request)

        return guarded

    def _check(self, request: web.Request) -> None:
        if self._public_token is not None:
            if not hmac.compare_digest(bearer(request).encode(), self._public_token.encode()):
                raise UnauthorizedError
            return
        # A page in a browser can be made to call a loopback port, but not under a loopback name.
        if not _LOOPBACK.fullmatch(request.host):
            raise ForbiddenError("The sandbox answers only under localhost, 127.0.0.1 and [::1].")


def _shown(message: SandboxMessage) -> dict[str, Any]:
    shown: dict[str, Any] = unstructure(message)
    if shown["subject"] is None:
        del shown["subject"]
    return shown
