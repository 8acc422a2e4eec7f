"""The refusals of a PIN template (C-9)."""

from __future__ import annotations

from collections.abc import Iterable

from ..channel import Channel
from ..errors import DomainError, UnknownIdError


class TemplateNotFoundError(UnknownIdError):
    """No template has this id, or another account owns it."""

    code = "template_not_found"
    kind = "PIN template"


class TemplateDisabledError(DomainError):
    """The template is disabled or archived, so nothing is sent under it."""

    code = "template_disabled"

    def __init__(self, *, archived: bool) -> None:
        super().__init__(
            "The template is archived for good. Create a new one."
            if archived
            else "The template is disabled. Enable it, or send under another one."
        )


class ChannelNotConfiguredError(DomainError):
    """A requested channel has no channel account on the template."""

    code = "channel_not_configured"

    def __init__(self, channel: Channel, configured: Iterable[Channel]) -> None:
        names = [str(each) for each in configured]
        super().__init__(
            f"The template has no channel account for {channel}. It has: {', '.join(names)}.",
            {"channel": str(channel), "configured": names},
        )
