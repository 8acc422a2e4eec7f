"""Phones behind networks on loopback: what reached them, told by their side alone."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from attrs import define, field


@define
class Phones:
    """The messages that each number was shown, by the network that showed them."""

    _shown: dict[str, list[str]] = field(factory=lambda: defaultdict(list))
    _news: asyncio.Event = field(factory=asyncio.Event)

    def show(self, number: str, network: str) -> None:
        """Show a message on a phone."""
        self._shown[number].append(network)
        self._news.set()
        self._news = asyncio.Event()

    def shown(self, number: str) -> list[str]:
        """Return the networks by which messages reached a phone, in order."""
        return list(self._shown.get(number, ()))

    async def until_shown(self, number: str) -> None:
        """Wait until a phone was shown something."""
        async with asyncio.timeout(20):
            while not self._shown.get(number):
                await self._news.wait()
