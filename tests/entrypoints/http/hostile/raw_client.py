"""A client that sends bytes which no client library would send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from attrs import define, frozen
from multidict import CIMultiDict

from watchword.entrypoints.demo.seeding import API_KEY

HOST = b"Host: localhost\r\n"
KEY = b"Authorization: Bearer " + API_KEY.encode() + b"\r\n"
JSON = b"Content-Type: application/json\r\n"
PATIENCE_OF_TESTS = 30


@frozen
class RawAnswer:
    """An answer, read as far as it says."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def error(self) -> tuple[int, str]:
        """The status and code of an error in either documented form, which is checked (C-12)."""
        held: dict[str, Any] = json.loads(self.body)
        if "error" in held:
            held = held["error"]
            assert {"code", "message", "requestId", "details"} == held.keys()
        else:
            assert {"status", "code", "message", "errors", "requestId"} == held.keys()
            assert "error" == held["status"]
        assert self.headers["X-Request-Id"] == held["requestId"]
        assert "application/json" == self.headers["Content-Type"]
        return self.status, held["code"]

    @property
    def in_envelope(self) -> bool:
        """Return whether an error has the PIN service's form; the other one is that of messaging."""
        return "error" in json.loads(self.body)


@define
class Wire:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, *, bodiless: bool = False) -> RawAnswer:
        """Read one answer; one to HEAD, and an interim one, are bodiless."""
        async with asyncio.timeout(PATIENCE_OF_TESTS):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = head.strip().split("\r\n")
            fields = (line.partition(": ") for line in lines)
            headers = CIMultiDict((name, value) for name, _, value in fields)
            length = 0 if bodiless else int(headers.get("Content-Length", "0"))
            body = await self.reader.readexactly(length)
        return RawAnswer(int(first.split()[1]), headers, body)

    async def ended(self) -> bytes:
        """Wait until the other side closes, and return the bytes before that."""
        rest = bytearray()
        async with asyncio.timeout(PATIENCE_OF_TESTS):
            try:
                while data := await self.reader.read(2**16):
                    rest += data
            except ConnectionError:
                pass
        return bytes(rest)


@asynccontextmanager
async def wire(port: int, source: str = "127.0.0.1") -> AsyncIterator[Wire]:
    """Connect from an address; all of 127.0.0.0/8 are this machine's, and each is another client."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        yield Wire(reader, writer)
    finally:
        writer.transport.abort()


async def exchange(port: int, request: bytes, *, bodiless: bool = False) -> RawAnswer:
    """Send a request on a connection of its own, and read the answer."""
    async with wire(port) as line:
        await line.send(request)
        return await line.answer(bodiless=bodiless)


def request(target: str, *headers: bytes, method: str = "GET", body: bytes | None = None) -> bytes:
    """Put a request together, without a check of anything."""
    sized = () if body is None else (b"Content-Length: %d\r\n" % len(body),)
    line = f"{method} {target} HTTP/1.1\r\n".encode("latin-1")
    return line + b"".join((*headers, *sized)) + b"\r\n" + (body or b"")


def post(target: str, body: bytes, *headers: bytes) -> bytes:
    """Put a POST of JSON together, with the sandbox's key."""
    return request(target, HOST, KEY, JSON, *headers, method="POST", body=body)
