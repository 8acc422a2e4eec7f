"""Rules for the values in requests about PINs; attrs validators that say what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...domain.channel import PIN_CHANNELS
from ...domain.pin_template import position_keys

MAX_PARAMETER_LENGTH = 1000


def carries_pins(_instance: object, _attribute: object, channel: Any) -> None:
    """Check that a channel is one that PINs go out on."""
    if channel not in PIN_CHANNELS:
        raise ValueError("must be sms, whatsapp or email")


def channel_list(_instance: object, _attribute: object, channels: Any) -> None:
    """Check that the channels, when given, are at least one and carry PINs."""
    if channels is None:
        return
    if not channels:
        raise ValueError("must have at least one entry; leave it out for the template's default")
    for channel in channels:
        if channel not in PIN_CHANNELS:
            raise ValueError("must name only sms, whatsapp and email")


def parameters(instance: object, attribute: object, params: Mapping[str, str]) -> None:
    """Check that parameters are keyed by positions and short enough to send."""
    position_keys(instance, attribute, params)
    for key, value in params.items():
        if len(value) > MAX_PARAMETER_LENGTH:
            raise ValueError(f"has more than {MAX_PARAMETER_LENGTH} characters at {key}")
