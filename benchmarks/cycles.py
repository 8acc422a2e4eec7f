"""A running load: each of its connections runs one cycle after the other."""

from __future__ import annotations

import asyncio
import re
from time import perf_counter
from typing import cast

from .loads import Load

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_PIN_ID = re.compile(rb'"pinId":"([^"]+)"')
_SHOWN = 300


class Course:
    """The remaining work of a load, and its measurements so far."""

    def __init__(self, load: Load, first: int) -> None:
        self._load = load
        self._next = first
        self._end = first + load.cycles
        self._head = (
            f"Host: 127.0.0.1:{load.ports[0]}\r\nAuthorization: Bearer {load.key}\r\n"
            "Content-Type: application/json\r\n"
        )
        self.phones: dict[bytes, Connection] = {}
        self.creates: list[float] = []
        self.verifies: list[float] = []
        self.failed = 0
        self.first_failure = ""
        self.begun_at = self.ended_at = perf_counter()

    def take(self) -> int | None:
        """Return the number of the next cycle; None if none is left or the time is over."""
        if self._next >= self._end or perf_counter() - self.begun_at > self._load.seconds:
            return None
        self._next += 1
        return self._next - 1

    def ended(self, failure: str | None = None) -> None:
        """Record the end of a cycle."""
        self.ended_at = perf_counter()
        if failure is not None:
            self.failed += 1
            self.first_failure = self.first_failure or failure

    def create(self, number: int, destination: str) -> bytes:
        """Return a request that creates a PIN."""
        extra = f"Idempotency-Key: benchmark-{number}\r\n" if self._load.idempotent else ""
        body = (
            f'{{"destination":"{destination}","templateId":"{self._load.template_id}"'
            f',"channels":["sms"],"referenceId":"ref-{number}"}}'
        )
        return self._request("/v1/pins", extra, body)

    def verify(self, pin_id: str, code: str) -> bytes:
        """Return a request that verifies a code."""
        return self._request(f"/v1/pins/{pin_id}/verify", "", f'{{"pin":"{code}"}}')

    def _request(self, path: str, extra: str, body: str) -> bytes:
        length = f"Content-Length: {len(body)}\r\n\r\n"
        return f"POST {path} HTTP/1.1\r\n{self._head}{extra}{length}{body}".encode()


class Connection(asyncio.Protocol):
    """A kept-alive connection with at most one request in progress."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._received = b""
        self._destination = b""
        self._pin_id: bytes | None = None
        self._code: bytes | None = None
        self._sent_at = 0.0
        self._verifying = False
        self.over = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; cycles begin when `begin` is called."""
        # uvloop's class has the methods of `asyncio.Transport`, but is no subclass.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Stop; a cycle in progress has failed."""
        if not self.over.done():
            self._leave(f"the connection was lost: {error}")

    def begin(self) -> None:
        """Begin the next cycle; close the connection if there is none."""
        number = self._course.take()
        if number is None:
            self._leave()
            return
        destination = f"+1555{number:09}"
        self._destination, self._pin_id, self._code = destination.encode(), None, None
        self._course.phones[self._destination] = self
        self._send(self._course.create(number, destination))

    def ring(self, code: bytes) -> None:
        """Take the code that was sent to this connection's phone."""
        self._code = code
        self._verify_when_ready()

    def abandon(self) -> None:
        """Abandon a cycle that makes no progress."""
        self._leave("a request, or its code, was not answered in time")

    def data_received(self, data: bytes) -> None:
        """Collect an answer, and continue when it is complete."""
        received = self._received = self._received + data
        head_end = received.find(b"\r\n\r\n")
        if head_end < 0:
            return
        length = _LENGTH.search(received, 0, head_end)
        if length is None or len(received) < head_end + 4 + int(length[1]):
            return
        self._received = b""
        self._answered(int(received[9:12]), received, perf_counter() - self._sent_at)

    def _answered(self, status: int, answer: bytes, seconds: float) -> None:
        if status != (200 if self._verifying else 201):
            self._course.phones.pop(self._destination, None)
            self._course.ended(answer[:_SHOWN].decode(errors="replace"))
            self._verifying = False
            self.begin()
        elif self._verifying:
            self._course.verifies.append(seconds)
            self._course.ended()
            self._verifying = False
            self.begin()
        else:
            self._course.creates.append(seconds)
            found = _PIN_ID.search(answer)
            self._pin_id = found[1] if found else b""
            self._verify_when_ready()

    def _verify_when_ready(self) -> None:
        # The code often arrives before the answer, and sometimes after it.
        if self._pin_id is not None and self._code is not None:
            self._verifying = True
            self._send(self._course.verify(self._pin_id.decode(), self._code.decode()))

    def _send(self, request: bytes) -> None:
        self._sent_at = perf_counter()
        self._transport.write(request)

    def _leave(self, failure: str | None = None) -> None:
        if failure is not None:
            self._course.ended(failure)
        self.over.set_result(None)
        self._transport.close()
