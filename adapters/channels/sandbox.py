"""The sandbox provider: its outbox stands for the recipient's phone, its destinations decide (C-40)."""

from __future__ import annotations

import asyncio
import re
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from ...application.ports.channels import (
    Accepted,
    ChannelProvider,
    Message,
    ProviderTemplate,
    Rejected,
)
from ...domain.channel import ChannelName
from ...domain.errors import FieldProblem, ValidationFailedError
from ..randomness import SecretRandomness

CAPACITY = 10_000
OUTCOMES = ("accepted", "rejected", "failed", "delivered", "timeout")
# What the last four digits of a destination decide; anything else is accepted.
_BY_ENDING = {
    "0001": "rejected",
    "0002": "failed",
    "0003": "accepted",
    "0004": "timeout",
    "0005": "delivered",
}
_ID = re.compile(r"[0-9]{1,18}")
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@frozen(kw_only=True)
class SandboxMessage:
    """A message in the outbox, with the code in its text (C-39)."""

    id: str
    at: datetime
    channel: ChannelName
    channel_account_id: str
    destination: str
    sender: str | None
    text: str = field(repr=False)
    subject: str | None = field(repr=False)
    payload: ProviderTemplate | None = field(repr=False)
    provider_message_id: str


class SandboxProvider(ChannelProvider):
    """
    Takes messages into an outbox in memory, the newest 10,000 of this process.

    A channel account's `outcome` decides for all its messages, else the destination's ending does.
    `mirror` also sends each message as one datagram to a loopback port, fire and forget.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._randomness = SecretRandomness()
        self._outbox: deque[SandboxMessage] = deque(maxlen=CAPACITY)
        self._taken = 0
        self._mirrors: dict[str, socket.socket] = {}

    def check_config(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check `{outcome?, mirror?}` (C-63)."""
        problems = [
            FieldProblem(f"config.{name}", "is not a setting of the sandbox provider")
            for name in config
            if name not in ("outcome", "mirror")
        ]
        if config.get("outcome", "accepted") not in OUTCOMES:
            problems.append(FieldProblem("config.outcome", f"must be one of {', '.join(OUTCOMES)}"))
        if "mirror" in config and _mirror_address(config["mirror"]) is None:
            problems.append(
                FieldProblem("config.mirror", "must be udp://127.0.0.1:<port>, loopback only")
            )
        if problems:
            raise ValidationFailedError(problems)
        return dict(config)

    async def send(self, config: Mapping[str, Any], message: Message) -> Accepted | Rejected:
        """Take the message as its channel account or its destination says."""
        outcome = config.get("outcome") or _BY_ENDING.get(_ending(message), "accepted")
        if outcome == "timeout":
            await asyncio.Event().wait()
        if outcome == "rejected":
            return Rejected("sandbox_rejected", "The sandbox rejects this destination.")
        self._taken += 1
        kept = SandboxMessage(
            id=str(self._taken),
            at=self._now(),
            channel=message.channel,
            channel_account_id=message.channel_account_id,
            destination=message.destination,
            sender=message.sender,
            text=message.text,
            subject=message.subject,
            payload=message.template,
            provider_message_id=self._randomness.new_id("sandbox"),
        )
        self._outbox.append(kept)
        if "mirror" in config:
            self._mirror(config["mirror"], f"{message.destination} {message.text}")
        return Accepted(kept.provider_message_id)

    def outbox(
        self, destination: str | None = None, channel: str | None = None, after: str | None = None
    ) -> Sequence[SandboxMessage]:
        """Give what was sent, the newest last; `after` is the id of the last one seen."""
        seen = int(after) if after and _ID.fullmatch(after) else 0
        return [
            message
            for message in self._outbox
            if int(message.id) > seen
            and destination in (None, message.destination)
            and channel in (None, message.channel)
        ]

    def clear(self) -> None:
        """Empty the outbox."""
        self._outbox.clear()

    def close(self) -> None:
        """Close the mirrors."""
        for mirror in self._mirrors.values():
            mirror.close()
        self._mirrors.clear()

    def _mirror(self, url: str, text: str) -> None:
        mirror = self._mirrors.get(url)
        if mirror is None:
            address = _mirror_address(url)
            if address is None:
                return
            family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
            mirror = self._mirrors[url] = socket.socket(family, socket.SOCK_DGRAM)
            mirror.setblocking(False)
            mirror.connect(address)
        try:
            mirror.send(text.encode())
        except OSError:
            # Fire and forget: nobody listens, or the listener is slow.
            return


def _ending(message: Message) -> str:
    local = message.destination.partition("@")[0]
    return re.sub(r"\D", "", local[-8:])[-4:] if "@" not in message.destination else local[-4:]


def _mirror_address(url: object) -> tuple[str, int] | None:
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "udp" or parts.hostname not in _LOOPBACK or not port:
        return None
    return ("127.0.0.1" if parts.hostname == "localhost" else parts.hostname, port)
