"""Bodies, read under a deadline: whole and up to a size, or as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from aiohttp import web
from aiohttp.hdrs import CONTENT_ENCODING, TRANSFER_ENCODING

from ....domain.errors import FieldProblem, ValidationFailedError
from .expectations import ask_for_body
from .patience import PATIENCE
from .stopping import STOPPING

MAX_BODY = 1024 * 1024


class BodyTooLarge(web.HTTPRequestEntityTooLarge):
    """A body is larger than what its route reads."""

    def __init__(self, most: int, size: int) -> None:
        super().__init__(most, size)
        self.message = f"The body is larger than {_size_text(most)}. Send less."


def _size_text(size: int) -> str:
    return f"{size // 2**20} MiB" if size >= 2**20 else f"{size // 2**10} KiB"


async def read_body(request: web.Request, most: int = MAX_BODY) -> bytes:
    """
    Read a body as it was sent.

    Raises `HTTPUnsupportedMediaType` for a coded one (D-23), `BodyTooLarge` over `most` bytes,
    announced or counted, `HTTPRequestTimeout` for one that is late (D-22), and
    `ValidationFailedError` for one that is not framed as its headers say.
    """
    if request.content.is_eof():
        return arrived_body(request, most)
    refuse_coded(request)
    _check_size(request.content_length or 0, most)
    body = bytearray()
    async for chunk in arriving(request, request.app[PATIENCE].body_due):
        body += chunk
        _check_size(len(body), most)
    return bytes(body)


def arrived_body(request: web.Request, most: int = MAX_BODY) -> bytes:
    """Read a body that came along with its head, as `read_body` does; most do, and need no timer."""
    refuse_coded(request)
    try:
        body = request.content.read_nowait()
    except web.RequestPayloadError:
        raise _misframed() from None
    _check_size(len(body), most)
    return body


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise BodyTooLarge(most, size)


def _misframed() -> ValidationFailedError:
    return ValidationFailedError([FieldProblem("body", "is not framed as its headers say")])


def refuse_coded(request: web.Request) -> None:
    """Raise `HTTPUnsupportedMediaType` for a body that is not sent as it is (D-23)."""
    headers = request.headers
    if headers.get(CONTENT_ENCODING, "identity").lower() != "identity":
        raise web.HTTPUnsupportedMediaType
    if headers.get(TRANSFER_ENCODING, "chunked").lower() != "chunked":
        raise web.HTTPUnsupportedMediaType


async def arriving(request: web.Request, due: Callable[[int], float]) -> AsyncIterator[bytes]:
    """
    Yield a body as it comes.

    `due` gives the seconds that a client may have kept us waiting once so many bytes are here; what
    is done between the chunks does not count. Raises `HTTPRequestTimeout`, `UnavailableError` when the
    service stops meanwhile, and `ValidationFailedError` for what is not framed as its headers say.
    """
    content, loop, stopping = request.content, asyncio.get_running_loop(), request.app[STOPPING]
    received, waited = 0, 0.0
    if not content.is_eof():
        await ask_for_body(request)
    while not content.at_eof():
        began = loop.time()
        deadline = asyncio.timeout_at(began - waited + due(received))
        try:
            async with deadline:
                with stopping.may_end(deadline, request):
                    chunk = await content.readany()
        except web.RequestPayloadError:
            raise _misframed() from None
        except TimeoutError:
            if not deadline.expired():
                raise
            stopping.check()
            raise web.HTTPRequestTimeout from None
        waited += loop.time() - began
        received += len(chunk)
        yield chunk
