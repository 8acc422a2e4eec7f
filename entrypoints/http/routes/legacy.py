"""The legacy platform's login, sends and ratings (SPEC 4 E, C-41 to C-43)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ...legacy.answer_bodies import LOGIN_PATH, RATING_PATH, SEND_PATH, not_sent, success
from ...legacy.sends import read, recipient_of
from ...wire.codec import encode, wire_time
from ...wire.typed_requests import LegacyLogin, LegacyRating
from ...wired import Wired
from ..answers import Answer
from ..listener.client_address import client_of
from ..request_ids import calling_about, request_id_of, settle_request_id
from ..requests import body_as, json_read
from ..route import LEGACY_TOKEN, NOTHING, About, Route


async def log_in(service: Wired, request: web.Request) -> web.Response:
    """E1: return a token for an e-mail address and a password."""
    body = await body_as(request, LegacyLogin)
    given = await service.legacy_logins.log_in(
        body.email,
        body.password,
        settle_request_id(request, (body.email,)),
        client=client_of(request),
        never_expire=body.never_expire,
    )
    expires_at = None if given.expires_at is None else wire_time(given.expires_at)
    return legacy_answer(request, {"token": given.token, "expiresAt": expires_at})


async def send(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """E2: send one message under a template; a provider's refusal is `105` and names the message."""
    # The use case reads the body, to name a wrong callback URL beside all that is wrong with it.
    body, _ = await json_read(request, as_it_is, trial=read)
    by = calling_about(request, by, recipient_of(body))
    sent = await service.legacy_sends.send(by, body)
    if sent.accepted:
        return legacy_answer(request, {"messageId": sent.message_id})
    refusal = not_sent(sent.message_id, f"{sent.error_code}: {sent.error_message}")
    return Answer(200, encode(refusal)).response(by.request_id)


def as_it_is(body: Any) -> Any:
    """Return a body as it was parsed."""
    return body


async def rate(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """E3: record an end user's rating of a chat."""
    body = await body_as(request, LegacyRating)
    by = calling_about(request, by, (body.phone,))
    await service.legacy_ratings.rate(
        by, chat_id=body.chat_id, phone=body.phone, rating=body.rating
    )
    return legacy_answer(request)


def legacy_answer(request: web.Request, data: Mapping[str, Any] | None = None) -> web.Response:
    """Answer that the request succeeded, with its `data` (C-41)."""
    return Answer(200, encode(success(data))).response(request_id_of(request))


LEGACY_ROUTES = (
    Route("POST", LOGIN_PATH, log_in, NOTHING, About.ACCOUNT, names_people=True),
    Route("POST", SEND_PATH, send, LEGACY_TOKEN, About.ACCOUNT, names_people=True),
    Route("POST", RATING_PATH, rate, LEGACY_TOKEN, About.ACCOUNT, names_people=True),
)
