"""WhatsApp messages: templates, and what a session allows (SPEC 2.6, C-26)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .references import References
from .wa_interactive import WaInteractive
from .wa_parts import WaMedia, WaTemplate
from .wire import Wire


class WaEnvelope(References, frozen=True, kw_only=True):
    """The base of WhatsApp messages: a sender, and one message for each recipient. `ttl` is in seconds."""

    sender: str
    recipient: Sequence[str]
    ttl: int | None = None
    messaging_product: Literal["whatsapp"] = "whatsapp"
    recipient_type: Literal["individual"] = "individual"


class WaTemplateMessage(WaEnvelope, frozen=True, kw_only=True, tag="template"):
    """An approved template, which needs no session."""

    template: WaTemplate


class WaSessionText(Wire, frozen=True, kw_only=True):
    """A text, and whether its first address is previewed."""

    body: str
    preview_url: bool | None = None


class WaSessionMedia(Wire, frozen=True, kw_only=True):
    """An image or a video: the `id` of an upload, or a public `link`; exactly one of them."""

    id: str | None = None
    link: str | None = None
    caption: str | None = None


class WaSessionDocument(Wire, frozen=True, kw_only=True):
    """A document: the `id` of an upload, or a public `link`; exactly one of them."""

    id: str | None = None
    link: str | None = None
    caption: str | None = None
    filename: str | None = None


class WaTextMessage(WaEnvelope, frozen=True, kw_only=True, tag="text"):
    """A text within a session."""

    text: WaSessionText


class WaImageMessage(WaEnvelope, frozen=True, kw_only=True, tag="image"):
    """An image within a session."""

    image: WaSessionMedia


class WaVideoMessage(WaEnvelope, frozen=True, kw_only=True, tag="video"):
    """A video within a session."""

    video: WaSessionMedia


class WaDocumentMessage(WaEnvelope, frozen=True, kw_only=True, tag="document"):
    """A document within a session."""

    document: WaSessionDocument


class WaAudioMessage(WaEnvelope, frozen=True, kw_only=True, tag="audio"):
    """A sound within a session."""

    audio: WaMedia


class WaInteractiveMessage(WaEnvelope, frozen=True, kw_only=True, tag="interactive"):
    """Buttons, a list or another interactive message within a session."""

    interactive: WaInteractive


WaMessage = (
    WaTemplateMessage
    | WaTextMessage
    | WaImageMessage
    | WaVideoMessage
    | WaDocumentMessage
    | WaAudioMessage
    | WaInteractiveMessage
)
