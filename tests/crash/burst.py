"""Requests that are wholly sent before a signal, on connections old and new."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import ExitStack
from typing import Self

from attrs import evolve

from tests.crash.load import PINS, Templates
from tests.crash.notebook import Exchange, Notebook
from tests.crash.server import Server

CONNECTIONS = 10


class Burst:
    """Plain sockets, whose bytes are with the server's machine once `send` has returned."""

    def __init__(self, server: Server, templates: Templates, notebook: Notebook) -> None:
        host, port = server.base.removeprefix("http://").split(":")
        self._address = (host, int(port))
        self._template = templates.many
        self._notebook = notebook
        self._sent: list[tuple[socket.socket, Exchange]] = []
        self._kept: list[socket.socket] = []
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    async def warm_up(self) -> None:
        """Use some connections once, as a client does that keeps them."""
        self._kept = self._connect()
        self._send(self._kept)
        await self.answers()

    def send(self) -> None:
        """Send a request on each kept connection, and on as many connections that are not accepted yet."""
        self._send(self._kept)
        self._send(self._connect())

    async def answers(self) -> list[Exchange]:
        """Return the answers to the last requests, and note them."""
        sent, self._sent = self._sent, []
        answered = await asyncio.gather(*(_answer(connection, each) for connection, each in sent))
        self._notebook.exchanges += answered
        return answered

    def _connect(self) -> list[socket.socket]:
        return [
            self._open.enter_context(socket.create_connection(self._address))
            for _ in range(CONNECTIONS)
        ]

    def _send(self, connections: list[socket.socket]) -> None:
        for connection in connections:
            request_id = self._notebook.new_request_id()
            # One each: the 9 keeps its end from meaning anything to the sandbox (C-40).
            destination = f"+1557{int(request_id.removeprefix('load-')):07}9"
            body = {"destination": destination, "templateId": self._template}
            exchange = Exchange(request_id, "create", "/v1/pins", body)
            connection.setblocking(True)
            connection.sendall(_bytes_of(exchange))
            self._sent.append((connection, exchange))


def _bytes_of(exchange: Exchange) -> bytes:
    body = json.dumps(exchange.body)
    headers = PINS | {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "X-Request-Id": exchange.request_id,
    }
    lines = [
        f"POST {exchange.path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


async def _answer(connection: socket.socket, exchange: Exchange) -> Exchange:
    connection.setblocking(False)
    came = b""
    try:
        while not _is_whole(came):
            more = await asyncio.get_running_loop().sock_recv(connection, 65536)
            if not more:
                return exchange
            came += more
    except OSError:
        return exchange
    head, _, body = came.partition(b"\r\n\r\n")
    return evolve(exchange, status=int(head.split()[1]), answer=body)


def _is_whole(came: bytes) -> bool:
    head, end, body = came.lower().partition(b"\r\n\r\n")
    return bool(end) and len(body) >= int(head.split(b"content-length:")[1].split()[0])
