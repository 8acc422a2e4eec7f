"""The templates of a sandbox's demo account, one of each channel that has templates, approved."""

from __future__ import annotations

from ..domain.channel import Channel, ChannelName
from ..domain.message_template import MessageTemplate

DEMO_TEMPLATES = (
    MessageTemplate(
        channel=Channel.WHATSAPP,
        name="demo",
        approved=True,
        text="Hello {{1}}, your order {{2}} is on its way.",
    ),
    MessageTemplate(
        channel=Channel.RCS,
        name="demo",
        approved=True,
        text="Hello [name], your order [order] is on its way.",
    ),
)


class DemoTemplates:
    """Gives the demo account its templates, under any sender and in any language; no other has any."""

    def __init__(self) -> None:
        self._account_id: str | None = None

    def belong_to(self, account_id: str) -> None:
        """Give them their account, once it is there."""
        self._account_id = account_id

    async def find(
        self,
        account_id: str,
        channel: ChannelName,
        sender: str,  # noqa: ARG002  the demo's templates belong to all its senders
        name: str,
        language: str | None,  # noqa: ARG002  and speak every language
    ) -> MessageTemplate | None:
        """Give the demo's template of this name and channel."""
        if account_id != self._account_id:
            return None
        named = (each for each in DEMO_TEMPLATES if (each.channel, each.name) == (channel, name))
        return next(named, None)
