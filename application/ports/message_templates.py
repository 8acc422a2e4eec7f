"""The port for looking up the templates that messages are sent under."""

from __future__ import annotations

from typing import Protocol

from ...domain.channel import ChannelName
from ...domain.message_template import MessageTemplate


class MessageTemplates(Protocol):
    """The templates of all accounts, approved or not."""

    async def find(
        self, account_id: str, channel: ChannelName, sender: str, name: str, language: str | None
    ) -> MessageTemplate | None:
        """
        Give an account's template, if it has one of this name.

        `sender` is the RCS sender profile that it belongs to (C-49), `language` the WhatsApp code.
        """
        ...
