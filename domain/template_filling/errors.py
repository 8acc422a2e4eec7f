"""The refusals of a send under a template (C-48)."""

from __future__ import annotations

from ..channel import Channel, ChannelName
from ..errors import DomainError, NotFoundError

# Several templates of an account may have one name: these properties tell them apart.
_NARROWED_BY = {Channel.RCS: "of this sender profile", Channel.WHATSAPP: "in this language"}


class MessageTemplateNotFoundError(NotFoundError):
    """
    The account has no such template on this channel (C-48).

    `narrowed` is true if the search also used the sender profile or the language.
    """

    code = "template_not_found"

    def __init__(self, channel: ChannelName, name: str, *, narrowed: bool = False) -> None:
        or_none = f", or none {_NARROWED_BY[Channel(channel)]}" if narrowed else ""
        super().__init__(
            f"The account has no {channel} template {name[:100]!r}{or_none}."
            f" Look it up in the list of {channel} templates."
        )


class TemplateNotApprovedError(DomainError):
    """The template is not approved, so nothing is sent under it (C-48)."""

    code = "template_not_approved"

    def __init__(self, channel: ChannelName, name: str) -> None:
        super().__init__(
            f"The {channel} template {name!r} is not approved. Send once its status is Approved."
        )
