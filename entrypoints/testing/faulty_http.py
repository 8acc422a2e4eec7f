"""An HTTP server that answers as a script says, faults included, and records what it was asked."""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from .http_exchanges import HttpAnswer, HttpRequest

_LONGEST_HEAD = 65_536
_LONGEST_BODY = 8 * 1024 * 1024
_MOST_CONNECTIONS = 256
_MOST_REQUESTS = 100_000

Answering = HttpAnswer | Callable[[HttpRequest], HttpAnswer]


class FaultyHttp:
    """
    Answer each request with the next answer of the script; the last answer stays.

    `async with FaultyHttp(HttpAnswer.json({"id": "7"})) as web:` listens on `web.url`. An entry of the
    script may also be a function of the request. `requests` has all requests whose bodies came whole, and
    `connections` is the number of connections. With `tls`, it speaks HTTPS.
    """

    host = "127.0.0.1"

    def __init__(self, *script: Answering, tls: ssl.SSLContext | None = None) -> None:
        self._script: deque[Answering] = deque(script or [HttpAnswer.json({})])
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.requests: list[HttpRequest] = []
        self.connections = 0
        self.port = 0

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    def says(self, *script: Answering) -> None:
        """Replace the script."""
        self._script = deque(script)

    async def __aenter__(self) -> Self:
        """Listen on a port that the system chooses."""
        self._server = await asyncio.start_server(
            self._accept, self.host, 0, ssl=self._tls, limit=_LONGEST_HEAD
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the port and every connection."""
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._tasks) >= _MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        try:
            while await self._answered(reader, writer):
                pass
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether another may follow on its connection."""
        request = await _read(reader)
        if len(self.requests) >= _MOST_REQUESTS:
            raise ValueError("too many requests")
        self.requests.append(request)
        answering = self._script[0] if len(self._script) == 1 else self._script.popleft()
        answer = answering if isinstance(answering, HttpAnswer) else answering(request)
        if answer.silent:
            with suppress(ConnectionError):
                await reader.read(1)
            return False
        if answer.delay:
            await asyncio.sleep(answer.delay)
        writer.write(answer.written()[: answer.cut_at])
        await writer.drain()
        goes_on = request.headers.get("connection", "").lower() != "close"
        return goes_on and not answer.stale and answer.cut_at is None


async def _read(reader: asyncio.StreamReader) -> HttpRequest:
    """Read a request; raise `EOFError` if it does not come whole, `ValueError` if it is none."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ")
    headers = tuple((name, value.strip()) for name, _, value in (x.partition(":") for x in lines))
    by_name = {name.lower(): value for name, value in headers}
    if by_name.get("expect", "").lower() == "100-continue":
        raise ValueError("no client of this server waits before its body")
    if "chunked" in by_name.get("transfer-encoding", "").lower():
        body = await _chunks(reader)
    else:
        length = int(by_name.get("content-length", "0"))
        if not 0 <= length <= _LONGEST_BODY:
            raise ValueError("the body is too long")
        body = await reader.readexactly(length)
    return HttpRequest(method=method, target=target, header_lines=headers, body=body)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        if not 0 < size <= _LONGEST_BODY - len(body):
            raise ValueError("the body is too long")
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    while await reader.readuntil(b"\r\n") != b"\r\n":
        pass
    return body
