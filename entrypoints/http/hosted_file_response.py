"""A hosted file as an answer: in pieces, whole or in part, and nothing that a browser would run."""

from __future__ import annotations

from urllib.parse import quote

from aiohttp import hdrs, web

from ...application.errors import UnavailableError
from ...application.media.views import MediaView
from ...application.ports.media_files import StoredFile
from ...domain.media import served_type
from .error_answers import error_answer
from .error_forms import Form
from .listener.json_response import REQUEST_ID
from .listener.sending_files import asked_range, send_file


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
    elif (asked := asked_range(request, tag, stored.size)) is not None:
        first, end = asked
        if first >= end:
            return _beyond(stored, request_id)
        response.set_status(206)
        response.headers[hdrs.CONTENT_RANGE] = f"bytes {first}-{end - 1}/{stored.size}"
    response.content_length = 0 if response.status == 304 else end - first
    await response.prepare(request)
    if response.status != 304 and request.method != hdrs.METH_HEAD:
        await send_file(request, response, file, first, end)
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
