"""The legacy platform's login, sends and ratings (SPEC 4 E, C-41 to C-43)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from ...codec import encode, wire_time
from ...legacy import sends
from ...typed_requests import LegacyLogin, LegacyRating
from ...wiring import Wired
from ..answers import Answer
from ..authentication import legacy_caller
from ..edge import request_id_of
from ..legacy_form import LOGIN_PATH, RATING_PATH, SEND_PATH, not_sent, success
from ..listener.client_address import client_of
from ..requests import body_as, json_body


class LegacyRoutes:
    """What clients of the legacy platform call; its own listener has these alone."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post(LOGIN_PATH, self.log_in),
            web.post(SEND_PATH, self.send),
            web.post(RATING_PATH, self.rate),
        ]

    async def log_in(self, request: web.Request) -> web.Response:
        """E1: a token for an e-mail and a password."""
        body = await body_as(request, LegacyLogin)
        given = await self._service.legacy_logins.log_in(
            body.email,
            body.password,
            request_id_of(request),
            client=client_of(request),
            never_expire=body.never_expire,
        )
        expires_at = None if given.expires_at is None else wire_time(given.expires_at)
        return legacy_answer(request, {"token": given.token, "expiresAt": expires_at})

    async def send(self, request: web.Request) -> web.Response:
        """E2: one message under a template; its provider's no is `105`, and names the message too."""
        by = await legacy_caller(request, self._service)
        sent = await sends.send(self._service, by, await json_body(request, sends.read))
        if sent.accepted:
            return legacy_answer(request, {"messageId": sent.message_id})
        body = not_sent(sent.message_id, f"{sent.error_code}: {sent.error_message}")
        return Answer(200, encode(body)).response(by.request_id)

    async def rate(self, request: web.Request) -> web.Response:
        """E3: what an end user thought of a chat."""
        by = await legacy_caller(request, self._service)
        body = await body_as(request, LegacyRating)
        await self._service.legacy_ratings.rate(
            by, chat_id=body.chat_id, phone=body.phone, rating=body.rating
        )
        return legacy_answer(request)


def legacy_answer(request: web.Request, data: Mapping[str, Any] | None = None) -> web.Response:
    """Say that all went well, and what came of it (C-41)."""
    return Answer(200, encode(success(data))).response(request_id_of(request))
