"""What a send under a template is refused for (C-48)."""

from __future__ import annotations

from ..channel import ChannelName
from ..errors import DomainError, NotFoundError


class MessageTemplateNotFoundError(NotFoundError):
    """The account has no template of this name on this channel (C-48)."""

    code = "template_not_found"

    def __init__(self, channel: ChannelName, name: str) -> None:
        belongs = "sender" if channel == "rcs" else "language"
        super().__init__(
            f"There is no {channel} template {name!r} for this {belongs}. Fetch the account's"
            " templates to see what there is."
        )


class TemplateNotApprovedError(DomainError):
    """The template exists and is not approved, so nothing is sent under it (C-48)."""

    code = "template_not_approved"

    def __init__(self, channel: ChannelName, name: str) -> None:
        super().__init__(
            f"The {channel} template {name!r} is not approved. Send once its status is Approved."
        )
