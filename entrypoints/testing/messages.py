"""Messages for tests of adapters."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...application.ports.channels import Message
from ...domain.channel import Channel, ChannelName

CODE = "4711"


def a_message(number: int = 1, *, channel: ChannelName = Channel.SMS, **changes: Any) -> Message:
    """
    Return the n-th message of a test: a PIN's code, with a reference and a destination of its own.

    `changes` replace members of the message.
    """
    to_mail = channel == Channel.EMAIL
    message = Message(
        reference=f"pin_orchid:{number}:{channel}",
        channel=channel,
        channel_account_id="cha_orchid",
        sender="Orchid",
        destination=f"rosa.{number}@example.com" if to_mail else f"+9198123{45_600 + 10 * number}",
        text=f"Your code is {CODE}.",
        subject="Your code" if to_mail else None,
    )
    return replace(message, **changes)
