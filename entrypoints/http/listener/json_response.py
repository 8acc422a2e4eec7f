"""Answers of JSON on the line: head and body in one piece."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import SERVER_SOFTWARE, HttpVersion10, HttpVersion11
from aiohttp.typedefs import Handler
from multidict import istr

# Looked up in every request: of the type that its headers need no copy of.
REQUEST_ID = istr("X-Request-Id")

_BEGINNINGS = {
    status.value: f"{status.value} {status.phrase}\r\nContent-Type: application/json\r\nContent-Length: "
    for status in HTTPStatus
}
_SERVER_AND_ID = f"\r\nServer: {SERVER_SOFTWARE}\r\n{REQUEST_ID}: "


def head_of(
    status: int,
    length: int,
    request_id: str,
    headers: Mapping[str, str],
    *,
    version: str = "1.1",
    connection: str | None = "close",
) -> bytes:
    """Return the head of an answer whose body has `length` bytes; by default it is its connection's last."""
    head = (
        f"HTTP/{version} {_BEGINNINGS[status]}{length}\r\nDate: {rfc822_formatted_time()}"
        f"{_SERVER_AND_ID}{request_id}\r\n"
    )
    for name, value in headers.items():
        head += f"{name}: {value}\r\n"
    if connection is not None:
        head += f"Connection: {connection}\r\n"
    return f"{head}\r\n".encode()


class JsonResponse(web.Response):
    """
    A response that is written at once.

    aiohttp's own prepares cookies, compression, chunks and hooks, none of which such an answer has;
    that took a tenth of a request (profile).
    """

    # Whether another request may follow; the request decides, unless this is to be the last.
    keep_alive: bool | None = None

    def __init__(
        self, status: int, body: bytes, request_id: str, headers: Mapping[str, str]
    ) -> None:
        # Past what `web.Response` makes of a body and of headers: this one is written as it is.
        self._status = status
        self._whole = body, request_id, headers

    def add_header(self, name: str, value: str) -> None:
        """Say one thing more."""
        body, request_id, headers = self._whole
        self._whole = body, request_id, {**headers, name: value}

    def force_close(self) -> None:
        """Make it the last answer of its connection."""
        self.keep_alive = False

    def usual(self) -> web.Response:
        """Return the same answer as aiohttp's own, whose headers others may read and change."""
        body, request_id, headers = self._whole
        response = web.Response(
            status=self._status,
            body=body,
            headers={**headers, REQUEST_ID: request_id},
            content_type="application/json",
        )
        if self.keep_alive is False:
            response.force_close()
        return response

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Write all of it."""
        if self.keep_alive is None:
            self.keep_alive = request.keep_alive
        version, connection = "1.1", None if self.keep_alive else "close"
        if request.version != HttpVersion11:
            version = f"{request.version.major}.{request.version.minor}"
            kept = self.keep_alive and request.version == HttpVersion10
            connection = "keep-alive" if kept else None
        body, request_id, headers = self._whole
        head = head_of(
            self._status, len(body), request_id, headers, version=version, connection=connection
        )
        writer = request.writer
        await writer.write(head if request.method == "HEAD" else head + body)
        return writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing is left to write."""


@web.middleware
async def usual_answers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer as any handler of aiohttp does, for the middlewares and signals of an embedder (D-542)."""
    answer = await handler(request)
    return answer.usual() if isinstance(answer, JsonResponse) else answer
