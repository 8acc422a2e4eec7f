"""The content of a message: a template filled in, or a plain text (SPEC 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from .....application.ports.channels import Message
from .....domain.rcs_template import (
    Carousel,
    RichCard,
    TemplateContent,
    TextMessage,
    TextMessageWithMedia,
)
from . import limits
from .cards import card_with_text, carousel_card, standalone_card
from .limits import checked_text
from .suggestions import suggestions

Part = Mapping[str, Any]


def content_message(message: Message) -> Part:
    """
    Return the `contentMessage` of a message; a content without a template is its text.

    Raises `NotSentError` for what RCS cannot show.
    """
    content = message.rcs
    if content is None:
        return {"text": checked_text(message.text, limits.TEXT, "text")}
    return {**_shown(content), **suggestions(content.suggestions, limits.SUGGESTIONS)}


def _shown(content: TemplateContent) -> Part:
    match content:
        case TextMessage(text_message_content=text):
            return {"text": checked_text(text, limits.TEXT, "text")}
        case TextMessageWithMedia():
            return {"richCard": card_with_text(content)}
        case RichCard():
            return {"richCard": standalone_card(content)}
        case Carousel():
            return {"richCard": carousel_card(content)}
        case _:
            assert_never(content)
