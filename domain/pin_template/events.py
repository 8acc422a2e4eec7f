"""The events of a PIN template; `by` is the actor."""

from __future__ import annotations

from attrs import frozen

from ..event import Event
from .channel_content import TemplateChannel
from .policy import PinPolicy


@frozen(kw_only=True)
class PinTemplateCreated(Event):
    """A template was created, enabled."""

    by: str
    account_id: str
    name: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]


@frozen(kw_only=True)
class PinTemplateRevised(Event):
    """Name, limits or channels were replaced; the event contains all of them."""

    by: str
    name: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]


@frozen(kw_only=True)
class PinTemplateEnabled(Event):
    """The template was enabled; sends under it are allowed again."""

    by: str


@frozen(kw_only=True)
class PinTemplateDisabled(Event):
    """The template was disabled; no send under it is allowed, and its PINs can still be verified."""

    by: str


@frozen(kw_only=True)
class PinTemplateArchived(Event):
    """The template was archived; this is final (D-7)."""

    by: str
