"""What happens to a PIN template; `by` is the actor."""

from __future__ import annotations

from attrs import frozen

from ..event import Event
from ..pin_policy import PinPolicy
from .channel_content import TemplateChannel


@frozen(kw_only=True)
class PinTemplateCreated(Event):
    """A template was created; it starts enabled."""

    by: str
    account_id: str
    name: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]


@frozen(kw_only=True)
class PinTemplateRevised(Event):
    """Name, limits or channels were replaced; the event holds all of them as they stand now."""

    by: str
    name: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]


@frozen(kw_only=True)
class PinTemplateEnabled(Event):
    """Sends under the template are allowed again."""

    by: str


@frozen(kw_only=True)
class PinTemplateDisabled(Event):
    """No more sends under the template; its PINs can still be verified."""

    by: str


@frozen(kw_only=True)
class PinTemplateArchived(Event):
    """The template is out of use for good."""

    by: str
