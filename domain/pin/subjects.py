"""What one PIN alone can hold, and what its codes are called on their way to providers."""

from __future__ import annotations

from attrs import frozen

from ..channel import PIN_CHANNELS, Channel, ChannelOutcome
from ..destination import canonical
from ..receipt import provider_message


def live_code(template_id: str, destination: str) -> str:
    """Name what only one PIN at a time may hold: the live code of a template and destination."""
    return f"live-code:{template_id}:{canonical(destination)}"


def known_as(outcome: ChannelOutcome) -> str | None:
    """Name the subject that a code holds once a provider took it, or may have; None without an id."""
    if outcome.refused or not outcome.channel_account_id or not outcome.provider_message_id:
        return None
    return provider_message(outcome.channel_account_id, outcome.provider_message_id)


def sent_as(pin_id: str, issue: int, channel: Channel) -> str:
    """Name a code on its way to a channel; a provider may name it so in its receipts (C-68)."""
    return f"{pin_id}:{issue}:{channel}"


@frozen
class SentCode:
    """A code on its way to a channel, read from its reference."""

    pin_id: str
    issue: int
    channel: Channel

    @classmethod
    def read(cls, reference: str) -> SentCode | None:
        """Read what `sent_as` gave; None for any other text."""
        pin_id, _, rest = reference.partition(":")
        issue, _, channel = rest.partition(":")
        if channel not in PIN_CHANNELS or not (issue.isdecimal() and issue.isascii()):
            return None
        return cls(pin_id, int(issue[:9]), Channel(channel))
