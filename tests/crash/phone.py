"""A phone outside the service: the datagrams that sandbox channel accounts mirror."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession
from attrs import define, field

from tests.crash.load import ADMIN

SENDER = "MIRROR"


@define
class Phone(asyncio.DatagramProtocol):
    """Counts the messages to each number; it outlives every server."""

    received: Counter[str] = field(factory=Counter)
    port: int = 0

    def datagram_received(self, data: bytes, addr: tuple[Any, ...]) -> None:
        """Take a message."""
        self.received[data.decode().partition(" ")[0]] += 1


@asynccontextmanager
async def phone() -> AsyncIterator[Phone]:
    """Listen until the end of the block."""
    loop = asyncio.get_running_loop()
    transport, listening = await loop.create_datagram_endpoint(Phone, local_addr=("127.0.0.1", 0))
    listening.port = transport.get_extra_info("sockname")[1]
    try:
        yield listening
    finally:
        transport.close()


async def ring(session: ClientSession, listening: Phone) -> None:
    """Create a channel account of the demo whose messages the phone receives."""
    body = {
        "channelType": "sms",
        "provider": "sandbox",
        "name": "mirror",
        "sender": SENDER,
        "config": {"outcome": "accepted", "mirror": f"udp://127.0.0.1:{listening.port}"},
    }
    async with session.post("/admin/v1/channel-accounts", json=body, headers=ADMIN) as answer:
        assert 201 == answer.status
