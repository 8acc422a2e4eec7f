"""Open providers with the config of a counterpart on loopback, and the sends by them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any

from watchword.adapters.channels.http.provider import HttpProvider
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.timings import Timings
from watchword.application.ports.channels import Accepted, Message
from watchword.domain.channel import Channel
from watchword.testing import FakeContext

TEXT = "Your code is 471100. It is valid for five minutes."

Send = Callable[[int], Coroutine[Any, Any, None]]


@asynccontextmanager
async def by_http(url: str) -> AsyncIterator[Send]:
    """Yield sends by the provider `http`."""
    provider = HttpProvider()
    config = {
        "method": "POST",
        "url": url,
        "body": {"to": "{{destination}}", "text": "{{text}}"},
        "accepted": {"idPath": "id"},
    }

    async def send(number: int) -> None:
        answer = await provider.send(config, message(number))
        assert isinstance(answer, Accepted), answer

    yield send
    await provider.close()


@asynccontextmanager
async def by_smpp(port: int, window: int) -> AsyncIterator[Send]:
    """Yield sends by the provider `smpp`, over one session."""
    # Of those that wait for a place, none is refused meanwhile.
    provider = SmppProvider(timings=Timings(patience=300.0))
    await provider.open(FakeContext())
    config = provider.check_config(
        {
            "host": "127.0.0.1",
            "port": port,
            "systemId": "orchid",
            "password": "s3cret",
            "window": window,
        }
    )

    async def send(number: int) -> None:
        answer = await provider.send(config, message(number))
        assert isinstance(answer, Accepted), answer

    yield send
    await provider.close()


def message(number: int) -> Message:
    """Return the message to the n-th recipient."""
    return Message(
        reference=f"msg_{number}",
        channel=Channel.SMS,
        channel_account_id="cha_vendor",
        destination=f"+4479{number:08}",
        text=TEXT,
    )


async def per_second(send: Send, sends: int, at_once: int) -> float:
    """Send so many messages, some at once; return how many they were a second."""
    numbers = iter(range(sends))

    async def one_after_the_other() -> None:
        for number in numbers:
            await send(number)

    began = perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
    return sends / (perf_counter() - began)
