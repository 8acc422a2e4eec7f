"""WhatsApp templates in Meta's shape (C-26, C-54)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import field

from .messages import PageDetails
from .wire import CamelWire, Wire


class WhatsappExample(Wire, frozen=True, kw_only=True):
    """Examples of what stands in the positions, for reviewers."""

    header_text: Sequence[str] | None = None
    header_handle: Sequence[str] | None = None
    body_text: Sequence[Sequence[str]] | None = None


class WhatsappApp(Wire, frozen=True, kw_only=True):
    """An Android app that a code is filled into."""

    package_name: str
    signature_hash: str


class WhatsappButton(Wire, frozen=True, kw_only=True):
    """A button; which members it needs depends on its type."""

    type: str
    text: str | None = None
    url: str | None = None
    phone_number: str | None = None
    example: str | Sequence[str] | None = None
    otp_type: str | None = None
    autofill_text: str | None = None
    supported_apps: Sequence[WhatsappApp] | None = None


class WhatsappCard(Wire, frozen=True, kw_only=True):
    """A card of a carousel."""

    components: Sequence[WhatsappComponent]


class WhatsappComponent(Wire, frozen=True, kw_only=True):
    """A part of a template: `HEADER`, `BODY`, `FOOTER`, `BUTTONS` or `CAROUSEL`."""

    type: str
    format: str | None = None
    text: str | None = None
    example: WhatsappExample | None = None
    add_security_recommendation: bool | None = None
    code_expiration_minutes: int | None = None
    buttons: Sequence[WhatsappButton] | None = None
    cards: Sequence[WhatsappCard] | None = None


class NewWhatsappTemplate(Wire, frozen=True, kw_only=True):
    """The body of a create."""

    name: str
    language: str
    category: str
    components: Sequence[WhatsappComponent]


class CreatedWhatsappTemplate(Wire, frozen=True, kw_only=True):
    """The answer to a create: it waits for its approval."""

    id: str
    status: str
    category: str


class WhatsappTemplate(Wire, frozen=True, kw_only=True):
    """
    A template as it stands: `status` is `Pending`, `Approved` or `Rejected`.

    `created_on` and `updated_on` are times in UTC without an offset.
    """

    id: str
    name: str
    language: str
    category: str
    components: tuple[WhatsappComponent, ...]
    status: str
    created_on: str
    updated_on: str
    rejected_reason: str | None = None


class FetchWhatsappTemplates(CamelWire, frozen=True, kw_only=True):
    """The body of a fetch; the first page is 0."""

    sender_profile: str | None = None
    message_type: str | None = None
    status: Literal["Pending", "Approved", "Rejected"] | None = None
    created_date: str | None = None
    template_name: str | None = None
    page_no: int = 0
    limit: int = 25
    channel: Literal["WA"] = "WA"


class WhatsappTemplatePage(Wire, frozen=True, kw_only=True):
    """A page of WhatsApp templates."""

    page_details: PageDetails
    templates: tuple[WhatsappTemplate, ...] = field(name="data")
