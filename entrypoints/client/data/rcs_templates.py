"""RCS templates: what an author submits, and what is fetched (SPEC 2.2 to 2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import field

from .messages import PageDetails
from .wire import CamelWire, Wire


class RcsSuggestion(CamelWire, frozen=True, kw_only=True):
    """A button (SPEC 2.3); which members it needs depends on its type."""

    suggestion_type: str
    display_text: str
    postback: str
    phone_number: str | None = None
    url: str | None = None
    application: str | None = None
    label: str | None = None
    latitude: str | None = None
    longitude: str | None = None
    query: str | None = None
    title: str | None = None
    description: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    time_zone: str | None = None


class RcsCard(CamelWire, frozen=True, kw_only=True):
    """A card; its file has an address, or the name of an upload of the same call."""

    card_title: str
    card_description: str
    media_url: str | None = None
    file_name: str | None = None
    suggestions: Sequence[RcsSuggestion] | None = None
    thumbnail_url: str | None = None
    thumbnail_file_name: str | None = None
    document_file_name: str | None = None


class RcsTemplateData(CamelWire, frozen=True, kw_only=True):
    """
    A template as its author writes it.

    `type` is `text_message`, `text_message_with_media`, `rich_card` or `carousel`, and says which of the
    other members belong there.
    """

    name: str
    type: str
    suggestions: Sequence[RcsSuggestion] | None = None
    text_message_content: str | None = None
    document_url: str | None = None
    document_file_name: str | None = None
    message_order: str | None = None
    orientation: str | None = None
    height: str | None = None
    alignment: str | None = None
    stand_alone: RcsCard | None = None
    width: str | None = None
    carousel_list: Sequence[RcsCard] | None = None
    template_state: str | None = None


class NewRcsTemplate(Wire, frozen=True, kw_only=True):
    """The texts of a create; `data` is JSON."""

    data: str
    sender_profile_name: str
    update_by: str
    message_type: str


class RcsTemplate(RcsTemplateData, frozen=True, kw_only=True, rename="camel"):
    """
    A template as it stands: `status` is `Pending`, `Approved` or `Rejected`.

    `created_on` and `updated_on` are times in UTC without an offset.
    """

    template_state: str
    sender_profile: str
    message_type: str
    category: str
    status: str
    created_on: str = field(name="created_on")
    updated_on: str = field(name="updated_on")
    reason: str | None = None


class CreatedRcsTemplate(Wire, frozen=True, kw_only=True):
    """The answer to a create."""

    status: str
    data: RcsTemplate


class FetchRcsTemplates(CamelWire, frozen=True, kw_only=True):
    """The body of a fetch (A2); the first page is 0."""

    sender_profile: str
    message_type: str
    status: Literal["Pending", "Approved", "Rejected"] | None = None
    created_date: str | None = None
    template_name: str | None = None
    page_no: int = 0
    limit: int = 25
    channel: Literal["RCS"] = "RCS"


class RcsTemplatePage(Wire, frozen=True, kw_only=True):
    """A page of RCS templates."""

    page_details: PageDetails
    templates: tuple[RcsTemplate, ...] = field(name="data")
