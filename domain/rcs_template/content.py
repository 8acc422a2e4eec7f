"""
The content of an RCS template, one type per kind (SPEC 2.2), told apart by `type` and `orientation`.

All values are kept as given, including empty texts and lists, so that a fetched template equals the
created one. The rules treat an empty optional text as missing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from attrs import frozen

from .suggestion import Suggestion


class MessageType(StrEnum):
    """The category of a template (SPEC 2.1, 4 A2)."""

    PROMOTIONAL = "Promotional"
    TRANSACTIONAL = "Transactional"
    OTP = "OTP"


class TemplateState(StrEnum):
    """Whether a template is kept as a draft or submitted for approval (C-24)."""

    CREATE = "Create"
    SUBMIT = "Submit"


class MessageOrder(StrEnum):
    """The upper part of a message with media."""

    MEDIA_AT_TOP = "media_at_top"
    TEXT_MESSAGE_AT_TOP = "text_message_at_top"


class Height(StrEnum):
    """The height of a card's media."""

    SHORT_HEIGHT = "SHORT_HEIGHT"
    MEDIUM_HEIGHT = "MEDIUM_HEIGHT"
    TALL_HEIGHT = "TALL_HEIGHT"


class Alignment(StrEnum):
    """The side of the media on a horizontal card."""

    LEFT = "LEFT"
    RIGHT = "RIGHT"


class Width(StrEnum):
    """The width of a carousel's cards."""

    MEDIUM_WIDTH = "MEDIUM_WIDTH"
    SMALL_WIDTH = "SMALL_WIDTH"
    SHORT_WIDTH = "SHORT_WIDTH"


@frozen(kw_only=True)
class Card:
    """A medium with a title, a text and buttons; the file names are those of uploaded files."""

    media_url: str | None = None
    file_name: str | None = None
    card_title: str
    card_description: str
    suggestions: tuple[Suggestion, ...] | None = None
    thumbnail_url: str | None = None
    thumbnail_file_name: str | None = None
    document_file_name: str | None = None


@frozen(kw_only=True)
class Vertical:
    """The layout with media above the text; it has a height."""

    orientation: Literal["VERTICAL"] = "VERTICAL"
    height: Height


@frozen(kw_only=True)
class Horizontal:
    """The layout with media beside the text; it has a side."""

    orientation: Literal["HORIZONTAL"] = "HORIZONTAL"
    alignment: Alignment


@frozen(kw_only=True)
class TextMessage:
    """A text with buttons."""

    type: Literal["text_message"] = "text_message"
    text_message_content: str
    suggestions: tuple[Suggestion, ...] | None = None


@frozen(kw_only=True)
class TextMessageWithMedia:
    """A text and a medium; `document_file_name` may name an uploaded file instead of a URL (D-84)."""

    type: Literal["text_message_with_media"] = "text_message_with_media"
    text_message_content: str
    document_url: str | None = None
    document_file_name: str | None = None
    message_order: MessageOrder
    suggestions: tuple[Suggestion, ...] | None = None


@frozen(kw_only=True)
class RichCard:
    """One card. It has one of two layouts, so a height and an alignment exclude each other."""

    type: Literal["rich_card"] = "rich_card"
    layout: Vertical | Horizontal
    stand_alone: Card
    suggestions: tuple[Suggestion, ...] | None = None


@frozen(kw_only=True)
class Carousel:
    """Cards in a row."""

    type: Literal["carousel"] = "carousel"
    height: Height
    width: Width
    carousel_list: tuple[Card, ...]
    suggestions: tuple[Suggestion, ...] | None = None


TemplateContent = TextMessage | TextMessageWithMedia | RichCard | Carousel


@frozen(kw_only=True)
class TemplateDefinition:
    """A template as its author gives it; without a `template_state` it is submitted (C-24)."""

    name: str
    content: TemplateContent
    template_state: TemplateState | None = None


@frozen(kw_only=True)
class UploadedFile:
    """A file that comes with a template; the client gives its content type."""

    name: str
    content_type: str | None = None


@frozen(kw_only=True)
class HostedFile:
    """The name of a file that came with a template, and the medium that hosts it (C-25)."""

    name: str
    media_id: str
