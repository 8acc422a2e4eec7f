"""Sends by the provider `http` to an API on loopback, beside a bare client that posts the same body."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

from aiohttp import ClientSession, TCPConnector
from attrs import define, field

from watchword.adapters.channels.http.provider import HttpProvider
from watchword.application.ports.channels import Accepted, Message
from watchword.domain.channel import Channel

from ..plan import Plan
from ..processes import port_of, running

AT_ONCE = 50
_TEXT = "Your code is 471100. It is valid for five minutes."

Send = Callable[[int], Awaitable[None]]


@define
class ProvidersFound:
    """Sends per second of a bare client and of the provider, one figure for each round."""

    bare: list[float] = field(factory=list)
    provider: list[float] = field(factory=list)

    @property
    def ratios(self) -> list[float]:
        """Return the provider's part of the bare client's speed."""
        return [ours / bare for bare, ours in zip(self.bare, self.provider, strict=True)]


async def measure_providers(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> ProvidersFound:
    """Measure sends with connections that stay open; `advance` gets the name of each round."""
    found = ProvidersFound()
    log = directory / "vendor.log"
    async with running("benchmarks.channels.vendor", log=log) as process:
        url = f"http://127.0.0.1:{await port_of(process, log)}/messages"
        provider = HttpProvider()
        connector = TCPConnector(limit=0, keepalive_timeout=15)
        async with ClientSession(connector=connector) as session:
            bare, ours = _bare(session, url), _ours(provider, url)
            for number in range(plan.rounds):
                advance(f"providers: round {number + 1} of {plan.rounds}")
                # The first sends of each connect.
                await _per_second(bare, AT_ONCE)
                await _per_second(ours, AT_ONCE)
                found.bare.append(await _per_second(bare, plan.sends_per_round))
                found.provider.append(await _per_second(ours, plan.sends_per_round))
        await provider.close()
    return found


def _bare(session: ClientSession, url: str) -> Send:
    async def send(number: int) -> None:
        body = {"to": f"+4479{number:08}", "text": _TEXT}
        async with session.post(url, json=body) as answer:
            assert (await answer.json())["id"]

    return send


def _ours(provider: HttpProvider, url: str) -> Send:
    config = {
        "method": "POST",
        "url": url,
        "body": {"to": "{{destination}}", "text": "{{text}}"},
        "accepted": {"idPath": "id"},
    }

    async def send(number: int) -> None:
        message = Message(
            reference=f"msg_{number}",
            channel=Channel.SMS,
            channel_account_id="cha_vendor",
            destination=f"+4479{number:08}",
            text=_TEXT,
        )
        answer = await provider.send(config, message)
        assert isinstance(answer, Accepted), answer

    return send


async def _per_second(send: Send, sends: int) -> float:
    """Send so many messages, some at once; return how many they were a second."""
    numbers = iter(range(sends))

    async def one_after_the_other() -> None:
        for number in numbers:
            await send(number)

    began = perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))
    return sends / (perf_counter() - began)
