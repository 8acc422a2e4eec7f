"""Carriers that are not ours, as the tests of counterparts see them: what they took, and what they send."""

from __future__ import annotations

import random
import socket
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from attrs import define, field, frozen

from tests.crash.waiting import until

# Systems take the ports of outgoing connections from those above: Linux begins at 32768.
_PORTS = range(20_000, 32_768)


@frozen
class Part:
    """
    A submit_sm that a carrier took; its own codec read it.

    `header` is the user data header of a part, or its SAR parameters; the last octet is its number.
    """

    message_id: str
    source: str
    destination: str
    text: str
    header: bytes = b""

    @property
    def long_message(self) -> tuple[str, bytes]:
        """Return what the parts of a long message have in common."""
        return self.destination, self.header[:-1]


def lasting_port() -> int:
    """Return a port that nobody listens on, and that no connection takes while its carrier is stopped."""
    for port in random.sample(_PORTS, 100):
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise OSError("A hundred ports are in use.")


@define
class Carrier(ABC):
    """An SMSC of others. It sends a receipt of each message that asks for one."""

    system_id = "orchid"
    password = "s3cret"
    port: int = field(factory=lasting_port)
    parts: list[Part] = field(factory=list)
    binds: list[str] = field(factory=list)
    answered: list[int] = field(factory=list)

    @abstractmethod
    async def start(self) -> None:
        """Listen, after a stop on the same port as before."""

    @abstractmethod
    async def stop(self) -> None:
        """End, with all connections."""

    @abstractmethod
    async def throttle(self, times: int) -> None:
        """Refuse the next messages as too many."""

    @abstractmethod
    async def say(self, phone: str, to: str, *texts: str, unicode: bool = False) -> None:
        """Send a person's message, in one part or several."""

    @property
    def config(self) -> dict[str, Any]:
        """Return the config of a channel account for it."""
        return {
            "host": "127.0.0.1",
            "port": self.port,
            "systemId": self.system_id,
            "password": self.password,
        }

    @property
    def texts(self) -> Sequence[tuple[str, str]]:
        """Return each message with its recipient, its parts joined in their order."""
        found: dict[object, list[Part]] = {}
        for number, part in enumerate(self.parts):
            found.setdefault(part.long_message if part.header else number, []).append(part)
        ordered = (sorted(each, key=lambda part: part.header[-1:]) for each in found.values())
        return [(each[0].destination, "".join(part.text for part in each)) for each in ordered]

    async def bound(self, kinds: Sequence[str]) -> None:
        """Wait until there were these binds, in any order."""
        await until(lambda: sorted(kinds) == sorted(self.binds))
