"""The legacy platform's login and ratings (SPEC 4 E1 and E3, C-41 to C-43)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from ...typed_requests import LegacyLogin, LegacyRating
from ...wiring import Wired
from ..answers import Answer
from ..codec import encode, wire_time
from ..edge import request_id_of
from ..legacy_form import LOGIN_PATH, RATING_PATH, success
from ..requests import body_as, legacy_caller


class LegacyRoutes:
    """What clients of the legacy platform call; its own listener has these alone."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [web.post(LOGIN_PATH, self.log_in), web.post(RATING_PATH, self.rate)]

    async def log_in(self, request: web.Request) -> web.Response:
        """E1: a token for an e-mail and a password."""
        body = await body_as(request, LegacyLogin)
        given = await self._service.legacy_logins.log_in(
            body.email, body.password, request_id_of(request), never_expire=body.never_expire
        )
        expires_at = None if given.expires_at is None else wire_time(given.expires_at)
        return legacy_answer(request, {"token": given.token, "expiresAt": expires_at})

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
