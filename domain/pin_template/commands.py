"""Commands of a PIN template."""

from __future__ import annotations

from datetime import datetime

from ..value import value
from .channel_content import TemplateChannel
from .policy import PinPolicy


@value(kw_only=True)
class CreatePinTemplate:
    """Create a template."""

    at: datetime
    by: str
    account_id: str
    name: str
    policy: PinPolicy
    channels: tuple[TemplateChannel, ...]


@value(kw_only=True)
class RevisePinTemplate:
    """Replace the given parts; None keeps a part."""

    at: datetime
    by: str
    name: str | None = None
    policy: PinPolicy | None = None
    channels: tuple[TemplateChannel, ...] | None = None


@value(kw_only=True)
class TemplateMark:
    """Enable, disable or archive a template; `by` is the actor."""

    at: datetime
    by: str
