"""The subjects that PINs hold, and the references of their codes at providers."""

from __future__ import annotations

from attrs import frozen

from ..channel import PIN_CHANNELS, Channel, ChannelOutcome
from ..receipt import provider_message


def live_code(template_id: str, person_id: str) -> str:
    """
    Return the subject of the live code of a template and person.

    A PIN holds it from its issue on, beside earlier PINs. When a code of the PIN may have arrived, the
    PIN becomes the only holder (`decide_dispatch.record_dispatch`).
    """
    return f"live-code:{template_id}:{person_id}"


def known_as(outcome: ChannelOutcome) -> str | None:
    """Return the subject of a code's provider id; None for a refused send or one without an id."""
    if outcome.refused or not outcome.channel_account_id or not outcome.provider_message_id:
        return None
    return provider_message(outcome.channel_account_id, outcome.provider_message_id)


def sent_as(pin_id: str, issue: int, channel: Channel) -> str:
    """Return the reference of a code on a channel; a provider may repeat it in its receipts (C-68)."""
    return f"{pin_id}:{issue}:{channel}"


@frozen
class SentCode:
    """The code that a reference names."""

    pin_id: str
    issue: int
    channel: Channel

    @classmethod
    def read(cls, reference: str) -> SentCode | None:
        """Parse a reference from `sent_as`; return None for any other text."""
        pin_id, _, rest = reference.partition(":")
        issue, _, channel = rest.partition(":")
        if channel not in PIN_CHANNELS or not (issue.isdecimal() and issue.isascii()):
            return None
        return cls(pin_id, int(issue[:9]), Channel(channel))
