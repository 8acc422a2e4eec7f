"""Answers of JSON on the line: head and body in one piece."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.helpers import rfc822_formatted_time
from aiohttp.http import SERVER_SOFTWARE, HttpVersion10, HttpVersion11

_BEGINNINGS = {
    status.value: f"{status.value} {status.phrase}\r\nContent-Type: application/json\r\nContent-Length: "
    for status in HTTPStatus
}
_SERVER = f"\r\nServer: {SERVER_SOFTWARE}\r\n"


def head_of(
    status: int,
    length: int,
    headers: Mapping[str, str],
    *,
    version: str = "1.1",
    connection: str | None = "close",
) -> bytes:
    """Give the head of an answer whose body has `length` bytes; unless told, its connection's last."""
    head = (
        f"HTTP/{version} {_BEGINNINGS[status]}{length}\r\nDate: {rfc822_formatted_time()}{_SERVER}"
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

    def __init__(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        # Past what `web.Response` makes of a body and of headers: this one is written as it is.
        self._status = status
        self._whole = body, headers
        self._stays: bool | None = None

    @property
    def keep_alive(self) -> bool | None:
        """Whether another request may follow; the request decides, unless this is to be the last."""
        return self._stays

    def force_close(self) -> None:
        """Make it the last answer of its connection."""
        self._stays = False

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        """Write all of it."""
        if self._stays is None:
            self._stays = request.keep_alive
        version, connection = "1.1", None if self._stays else "close"
        if request.version != HttpVersion11:
            version = f"{request.version.major}.{request.version.minor}"
            kept = self._stays and request.version == HttpVersion10
            connection = "keep-alive" if kept else None
        body, headers = self._whole
        head = head_of(self.status, len(body), headers, version=version, connection=connection)
        await request.writer.write(head if request.method == "HEAD" else head + body)
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing is left to write."""
