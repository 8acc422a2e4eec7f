"""The common parts of the two bare servers: the listener, the PIN service's answers, and the phone."""

from __future__ import annotations

import asyncio
import secrets
import socket
from typing import Any

import msgspec
from aiohttp import web

KEY = "benchmark-key"
TEMPLATE_ID = "tpl_benchmark"


class Phone:
    """The receiver of codes: one datagram each, `<destination> <code>`, to the load client."""

    def __init__(self, port: int) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.connect(("127.0.0.1", port))

    def send(self, destination: str, code: str) -> None:
        """Send a code."""
        self._socket.send(f"{destination} {code}".encode())


def new_code() -> str:
    """Draw a code of six digits."""
    return f"{secrets.randbelow(1_000_000):06}"


def issued(pin_id: str) -> web.Response:
    """Return the answer to a create, with the length of a real one."""
    channel = {
        "channel": "sms",
        "channelAccountId": f"cha_{pin_id}",
        "status": "accepted",
        "providerMessageId": f"sandbox_{pin_id}",
    }
    body = {
        "pinId": pin_id,
        "status": "PENDING",
        "expiresAt": "2030-01-01T00:00:00.000000Z",
        "attemptsRemaining": 5,
        "channels": [channel],
    }
    return answer(201, body)


def verified(pin_id: str) -> web.Response:
    """Return the answer to the right code."""
    return answer(200, {"pinId": pin_id, "status": "VERIFIED", "attemptsRemaining": 5})


def answer(status: int, body: Any) -> web.Response:
    """Return a body as JSON."""
    return web.Response(
        status=status, body=msgspec.json.encode(body), content_type="application/json"
    )


async def listen(routes: list[web.RouteDef]) -> None:
    """Serve on a free port of loopback and print it; stop with the process."""
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()
