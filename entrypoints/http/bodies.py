"""Bodies, read under a deadline and up to a size."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.hdrs import CONTENT_ENCODING, TRANSFER_ENCODING

from ...domain.errors import FieldProblem, ValidationFailedError
from .expectations import ask_for_body
from .patience import PATIENCE

MAX_BODY = 1024 * 1024


async def read_body(request: web.Request) -> bytes:
    """
    Read a body as it was sent.

    Raises `HTTPUnsupportedMediaType` for a coded one (D-23), `HTTPRequestEntityTooLarge` over
    `MAX_BODY` bytes, announced or counted, `HTTPRequestTimeout` for one that is late (D-22), and
    `ValidationFailedError` for one that is not framed as its headers say.
    """
    headers = request.headers
    if headers.get(CONTENT_ENCODING, "identity").lower() != "identity":
        raise web.HTTPUnsupportedMediaType
    if headers.get(TRANSFER_ENCODING, "chunked").lower() != "chunked":
        raise web.HTTPUnsupportedMediaType
    if (request.content_length or 0) > MAX_BODY:
        raise web.HTTPRequestEntityTooLarge(MAX_BODY, request.content_length or 0)
    try:
        # Most bodies come along with their head, and need no timer.
        content = request.content
        body = content.read_nowait() if content.is_eof() else await _arriving(request)
    except web.RequestPayloadError:
        raise ValidationFailedError(
            [FieldProblem("body", "is not framed as its headers say")]
        ) from None
    if len(body) > MAX_BODY:
        raise web.HTTPRequestEntityTooLarge(MAX_BODY, len(body))
    return body


async def _arriving(request: web.Request) -> bytes:
    await ask_for_body(request)
    patience = request.app[PATIENCE]
    began = asyncio.get_running_loop().time()
    body = bytearray()
    deadline = asyncio.timeout(None)
    try:
        async with deadline:
            while not request.content.at_eof():
                deadline.reschedule(began + patience.body_due(len(body)))
                body += await request.content.readany()
                if len(body) > MAX_BODY:
                    raise web.HTTPRequestEntityTooLarge(MAX_BODY, len(body))
    except TimeoutError:
        if not deadline.expired():
            raise
        raise web.HTTPRequestTimeout from None
    return bytes(body)
