"""A hosted file as an answer: in pieces, whole or in part, and nothing that a browser would run."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from aiohttp import hdrs, web

from ...application.errors import UnavailableError
from ...application.media.views import MediaView
from ...application.ports.media_files import MediaFilesUnavailable, StoredFile
from ...domain.media import served_type
from .answers import error_answer
from .error_forms import Form
from .listener.patience import PATIENCE
from .listener.responses import REQUEST_ID

_PIECE = 64 * 1024


async def media_response(
    request: web.Request, stored: MediaView, file: StoredFile, request_id: str
) -> web.StreamResponse:
    """
    Answer with a file, or with the one range of it that is asked for (RFC 9110).

    Raises `UnavailableError` for a file that is not what was stored.
    """
    if file.size != stored.size:
        raise UnavailableError
    tag = f'"{stored.id}"'
    response = web.StreamResponse(headers=_headers(stored, tag, request_id))
    first, end = 0, stored.size
    if request.headers.get(hdrs.IF_NONE_MATCH) in (tag, f"W/{tag}", "*"):
        response.set_status(304)
    elif (asked := _range(request, tag, stored.size)) is not None:
        first, end = asked
        if first >= end:
            return _beyond(stored, request_id)
        response.set_status(206)
        response.headers[hdrs.CONTENT_RANGE] = f"bytes {first}-{end - 1}/{stored.size}"
    response.content_length = 0 if response.status == 304 else end - first
    await response.prepare(request)
    if response.status != 304 and request.method != hdrs.METH_HEAD:
        await _send(request, response, file, first, end)
    await response.write_eof()
    return response


def _beyond(stored: MediaView, request_id: str) -> web.StreamResponse:
    message = f"The file has {stored.size} bytes and ends before this range."
    headers: dict[str, str] = {hdrs.CONTENT_RANGE: f"bytes */{stored.size}"}
    return error_answer(
        "range_not_satisfiable", message, {}, request_id, Form.MESSAGING, headers
    ).response(request_id)


def _headers(stored: MediaView, tag: str, request_id: str) -> dict[str, str]:
    return {
        REQUEST_ID: request_id,
        hdrs.CONTENT_TYPE: served_type(stored.content_type),
        hdrs.CONTENT_DISPOSITION: _as_attachment(stored.name),
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
        # A medium never changes, but one that is removed must be gone from caches, too (C-95).
        hdrs.CACHE_CONTROL: "public, max-age=86400",
        hdrs.ETAG: tag,
        hdrs.ACCEPT_RANGES: "bytes",
    }


def _as_attachment(name: str) -> str:
    """Name a file (RFC 6266): in plain ASCII for old clients, whole for the others (RFC 8187)."""
    plain = "".join(each if each.isascii() and each not in '"\\%;' else "_" for each in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _range(request: web.Request, tag: str, size: int) -> tuple[int, int] | None:
    """Give the bytes that are asked for, from and up to; none of them where there are none."""
    if request.headers.get(hdrs.IF_RANGE, tag) != tag:
        return None
    try:
        asked = request.http_range
    except ValueError:
        # What nobody understands, several ranges among it, is not asked for.
        return None
    if asked.start is None:
        return None
    if asked.start < 0:
        return max(0, size + asked.start), size
    if asked.start >= size:
        return 0, 0
    return asked.start, min(size, asked.stop if asked.stop is not None else size)


async def _send(
    request: web.Request, response: web.StreamResponse, file: StoredFile, first: int, end: int
) -> None:
    patience, loop = request.app[PATIENCE], asyncio.get_running_loop()
    waited = 0.0
    for at in range(first, end, _PIECE):
        try:
            piece = await file.read(at, min(_PIECE, end - at))
        except MediaFilesUnavailable:
            piece = b""
        if not piece:
            # The head has promised more: only an end in the middle says that it does not come.
            raise ConnectionResetError("The file cannot be read to its end.")
        began = loop.time()
        try:
            async with asyncio.timeout_at(began - waited + patience.file_due(at - first)):
                await response.write(piece)
        except TimeoutError:
            raise ConnectionResetError("The client takes too long.") from None
        waited += loop.time() - began
