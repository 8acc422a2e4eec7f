"""Typed requests to the sandbox's clock and phones (C-39)."""

from __future__ import annotations

from typing import Any

from attrs import Attribute, field, frozen

from ...adapters.channels.sandbox_posts import VISIBLE_RULE, PostedStatus, visible
from ...domain.channel import Channel
from ...domain.limits import Characters, FromTo
from ...domain.rate_limit import LONGEST_DURATION
from ..messaging.field_limits import a_sender
from ..wire.searches import renamed
from ..wire.structuring import structure
from ..wire.typed_requests import channel_named

INBOUND = {"channel": "channel", "from": "sender", "to": "recipient", "text": "text"}
_SPELLED = {own: name for name, own in INBOUND.items()}


def a_visible_text(_: object, __: Attribute[Any], value: str | None) -> None:
    """Check that a text can be a provider's id or error code; None is allowed."""
    if value is not None and not visible(value):
        raise ValueError(VISIBLE_RULE)


@frozen(kw_only=True)
class SandboxReceipt:
    """A receipt by the provider's id or by the message's id."""

    provider_message_id: str | None = field(default=None, validator=a_visible_text)
    message_id: str | None = None
    status: PostedStatus
    error_code: str | None = field(default=None, validator=a_visible_text)


@frozen(kw_only=True)
class SandboxInbound:
    """A message from a person; `sender` and `recipient` are the wire's `from` and `to`."""

    channel: Channel
    sender: str = field(repr=False, validator=a_sender)
    recipient: str = field(validator=a_sender)
    text: str = field(repr=False, validator=Characters(1, 10_000))


@frozen
class AdvanceRequest:
    """The time by which to move the clock forward."""

    seconds: int = field(validator=FromTo(1, int(LONGEST_DURATION.total_seconds())))


def sandbox_inbound(body: Any) -> SandboxInbound:
    """Read an inbound message."""
    if not isinstance(body, dict):
        return structure(body, SandboxInbound)
    given = {name: body[name] for name in INBOUND if name in body}
    if "channel" in given:
        given["channel"] = channel_named(given["channel"])
    named = {INBOUND[name]: value for name, value in given.items()}
    return renamed(_SPELLED, lambda: structure(named, SandboxInbound))
