"""Real servers on loopback, in the place of SMS providers with an HTTP API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from aiohttp import web
from attrs import define, field
from msgspec.structs import replace

from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import Message
from watchword.domain.channel import Channel

MESSAGE = Message(
    reference="pin_orchid:1:sms",
    channel=Channel.SMS,
    channel_account_id="cha_orchid",
    sender="Orchid",
    destination="+919812345610",
    text="Your code is 4711.",
    ttl_seconds=300,
)
JSON_BODY = {"to": "{{destination}}", "text": "{{text}}"}


def said(text: str, **more: Any) -> Message:
    """Return a message with a text."""
    return replace(MESSAGE, text=text, **more)


@define
class Seen:
    """A request as the counterpart decoded it, with its raw headers."""

    method: str
    raw_path: str
    path: str
    query: list[tuple[str, str]]
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> list[str]:
        """Return the values of a header."""
        wanted = name.lower().encode()
        return [value.decode() for key, value in self.headers if key.lower() == wanted]


@define
class Counterpart:
    """A provider that answers as it is set up, and keeps what it was sent."""

    url: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(factory=dict)
    body: bytes | None = None
    connections: int = 0
    seen: list[Seen] = field(factory=list)

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Keep a request, and answer it."""
        self.seen.append(
            Seen(
                request.method,
                request.raw_path,
                request.path,
                [*request.query.items()],
                [*request.raw_headers],
                await request.read(),
            )
        )
        body = b'{"id": "their-%d"}' % len(self.seen) if self.body is None else self.body
        return web.Response(status=self.status, headers=self.headers, body=body)

    def config(self, **members: Any) -> dict[str, Any]:
        """Return a config that describes this provider."""
        config: dict[str, Any] = {
            "method": "POST",
            "url": f"{self.url}/messages",
            "body": JSON_BODY,
            "accepted": {"idPath": "id"},
            "rejected": {
                "codePath": "error.code",
                "messagePath": "error.words",
                "faults": {"21211": "recipient", "busy": "busy"},
            },
            **members,
        }
        return {name: each for name, each in config.items() if each is not None}


@asynccontextmanager
async def counterpart(**options: Any) -> AsyncIterator[Counterpart]:
    """Run a counterpart."""
    running = Counterpart()
    server = web.Server(running.answer)

    def connected() -> asyncio.Protocol:
        running.connections += 1
        return server()

    listening = await asyncio.get_running_loop().create_server(connected, "127.0.0.1", 0, **options)
    scheme = "https" if options.get("ssl") else "http"
    running.url = f"{scheme}://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield running
    finally:
        listening.close()
        await server.shutdown(0.01)


Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def raw_server(talk: Talk) -> AsyncIterator[str]:
    """Run a server that says what HTTP servers should not; yields its URL."""
    talks: set[asyncio.Task[None]] = set()

    async def talked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks.add(task)
        try:
            await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            talks.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(talked, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for each in talks:
            each.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


async def request_read(reader: asyncio.StreamReader) -> bytes:
    """Read the head of a request, and its body by its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return head + await reader.readexactly(int(value))
    return head


class Service:
    """The parts of a service that a provider is opened with."""

    def __init__(self, public_url: str | None = "https://pins.example.com") -> None:
        self.public_url = public_url

    async def hear(self, channel_account_id: str, reports: Any) -> None:
        """Take no reports: providers of this kind post theirs."""
        raise AssertionError(channel_account_id)

    async def accounts(self) -> tuple[()]:
        """Return no accounts."""
        return ()

    def callback_url(self, channel_account_id: str) -> str | None:
        """Return the address for receipts."""
        return self.public_url and f"{self.public_url}/callbacks/{channel_account_id}"

    async def media(self, media_id: str, most_bytes: int) -> None:
        """Return no file."""

    def now(self) -> datetime:
        """Return a time."""
        return datetime(2026, 11, 23, tzinfo=UTC)


@asynccontextmanager
async def opened(service: Service | None = None, **options: Any) -> AsyncIterator[HttpProvider]:
    """Open the provider."""
    provider = HttpProvider(**options)
    await provider.open(service or Service())
    try:
        yield provider
    finally:
        await provider.close()
