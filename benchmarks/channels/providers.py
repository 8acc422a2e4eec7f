"""Sends by the provider `http` to an API on loopback, beside a bare client that posts the same body."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aiohttp import ClientSession, TCPConnector
from attrs import define, field

from ..plan import Plan
from ..processes import port_of, running
from .sending import TEXT, Send, by_http, per_second

AT_ONCE = 50


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
        connector = TCPConnector(limit=0, keepalive_timeout=15)
        async with ClientSession(connector=connector) as session, by_http(url) as ours:
            bare = _bare(session, url)
            for number in range(plan.rounds):
                advance(f"providers: round {number + 1} of {plan.rounds}")
                # The first sends of each connect.
                await per_second(bare, AT_ONCE, AT_ONCE)
                await per_second(ours, AT_ONCE, AT_ONCE)
                found.bare.append(await per_second(bare, plan.sends_per_round, AT_ONCE))
                found.provider.append(await per_second(ours, plan.sends_per_round, AT_ONCE))
    return found


def _bare(session: ClientSession, url: str) -> Send:
    async def send(number: int) -> None:
        body = {"to": f"+4479{number:08}", "text": TEXT}
        async with session.post(url, json=body) as answer:
            assert (await answer.json())["id"]

    return send
