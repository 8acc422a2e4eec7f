"""A message template as a send sees it: whether it may be used, and what has to be filled in (C-48)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import field, frozen

from .channel import Channel, ChannelName
from .errors import DomainError, NotFoundError
from .placeholders import NAMED, POSITION


class MessageTemplateNotFoundError(NotFoundError):
    """The account has no template of this name on this channel (C-48)."""

    code = "template_not_found"

    def __init__(self, channel: ChannelName, name: str) -> None:
        super().__init__(
            f"There is no {channel} template {name!r} for this sender. Ask your operator which"
            " templates the account has."
        )


class TemplateNotApprovedError(DomainError):
    """The template exists and is not approved, so nothing is sent under it (C-48)."""

    code = "template_not_approved"

    def __init__(self, channel: ChannelName, name: str) -> None:
        super().__init__(
            f"The {channel} template {name!r} is not approved. Send once its status is Approved."
        )


@frozen(kw_only=True)
class MessageTemplate:
    """
    One template of an account.

    `text` is its wording with placeholders: `[name]` on RCS, `{{1}}` on WhatsApp. `carries_code`
    says that what fills it is a code: category AUTHENTICATION on WhatsApp, message type OTP on RCS.
    """

    channel: ChannelName
    name: str
    approved: bool
    carries_code: bool = False
    text: str = field(default="", repr=False)

    @property
    def placeholders(self) -> frozenset[str]:
        """Name what has to be filled in."""
        return frozenset(found[1] for found in self._pattern.finditer(self.text))

    def filled(self, values: Mapping[str, str]) -> str:
        """Fill in what is given, in one pass; a placeholder without a value stays as it is."""
        return self._pattern.sub(lambda found: values.get(found[1], found[0]), self.text)

    @property
    def _pattern(self) -> re.Pattern[str]:
        # RCS texts have names in brackets (SPEC 2.2), WhatsApp's have positions.
        return NAMED if self.channel == Channel.RCS else POSITION
