"""Find the content of a message, with the template that it fills in."""

from __future__ import annotations

from attrs import field, frozen

from ...domain.message import Content, Direction, Message
from ...domain.shared_content import shared_content_decider
from ...domain.template_filling import MessageTemplate, MessageTemplateNotFoundError
from ..journal import Journal
from ..messages.planning.templates_of_sends import TemplatesOfSends
from ..messages.taking_in.own_links import with_own_links


@frozen(kw_only=True)
class ShownContent:
    """
    The content of a message as it went out, and its template as it is now.

    An inbound message has a `text` alone. Without either, nothing is stored: the content carries a code,
    or the message was rejected without a try (C-23).
    """

    content: Content | None = field(default=None, repr=False)
    template: MessageTemplate | None = None
    text: str | None = field(default=None, repr=False)


class ShownContents:
    """Finds contents in the streams of messages, and in those that messages share (C-94)."""

    def __init__(self, journal: Journal, templates: TemplatesOfSends) -> None:
        self._journal = journal
        self._templates = templates

    async def of(self, message: Message) -> ShownContent:
        """Return what is stored of a message's content."""
        if message.direction is Direction.INBOUND:
            return ShownContent(text=message.text)
        content = await self._stored(message)
        if content is None:
            return ShownContent()
        return ShownContent(content=content, template=await self._template(message, content))

    async def _stored(self, message: Message) -> Content | None:
        if message.content_id is None:
            return message.content
        loaded = await self._journal.find(shared_content_decider, message.content_id)
        if loaded is None or loaded.state.content is None:
            return None
        return with_own_links(loaded.state.content, loaded.state.own_links, message.link_codes)

    async def _template(self, message: Message, content: Content) -> MessageTemplate | None:
        try:
            return await self._templates.of_content(message.account_id, message.sender, content)
        except MessageTemplateNotFoundError:
            return None
