"""Templates that a test lays out."""

from __future__ import annotations

from watchword.domain.channel import ChannelName
from watchword.domain.message_template import MessageTemplate


class FixedTemplates:
    """Gives every account the templates that were put here."""

    def __init__(self) -> None:
        self.all: list[MessageTemplate] = []

    async def find(
        self, account_id: str, channel: ChannelName, sender: str, name: str, language: str | None
    ) -> MessageTemplate | None:
        """Give the template of this name and channel."""
        named = (each for each in self.all if (each.channel, each.name) == (channel, name))
        return next(named, None)
