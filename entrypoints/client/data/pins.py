"""Requests and answers of the PIN service (SPEC 2.7, D1 to D4, C-90)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import field

from .wire import CamelWire

PinChannel = Literal["sms", "whatsapp", "email"]


class CallerContext(CamelWire, frozen=True, kw_only=True):
    """Facts that the caller knows about its user: the guard counts sends by address."""

    ip: str | None = None
    user_agent: str | None = None


class CreatePin(CamelWire, frozen=True, kw_only=True):
    """The body of a create (D1)."""

    destination: str
    template_id: str
    channels: Sequence[PinChannel] | None = None
    reference_id: str | None = None
    template_params: Mapping[str, str] | None = None
    context: CallerContext | None = None
    locale: str | None = None


class ResendPin(CamelWire, frozen=True, kw_only=True):
    """The body of a resend (D2)."""

    channels: Sequence[PinChannel] | None = None
    template_params: Mapping[str, str] | None = None


class VerifyPin(CamelWire, frozen=True, kw_only=True):
    """The body of a verify (D3)."""

    pin: str


class ChannelResult(CamelWire, frozen=True, kw_only=True):
    """
    The outcome of a send on one channel.

    `status` is `accepted`, then with a `provider_message_id`, or `rejected`, then with an `error_code`.
    """

    channel: str
    status: str
    provider_message_id: str | None = None
    error_code: str | None = None
    error_message: str | None = None


class Pin(CamelWire, frozen=True, kw_only=True):
    """A PIN after a create or a resend; `status` is `PENDING`."""

    pin_id: str
    status: str
    expires_at: datetime
    attempts_remaining: int
    channels: tuple[ChannelResult, ...]


class VerifiedPin(CamelWire, frozen=True, kw_only=True):
    """A PIN whose code was right; `receipt` is a signed statement of it, if the template has one (C-83)."""

    pin_id: str
    status: str
    attempts_remaining: int
    receipt: str | None = None


class Attempt(CamelWire, frozen=True, kw_only=True):
    """One try of a send on one channel account: `accepted`, `rejected` or `unknown`."""

    channel_account_id: str
    status: str
    code: str | None = None


class CodeReceipt(CamelWire, frozen=True, kw_only=True):
    """A provider's report about a code: `sent`, `delivered`, `read` or `failed`."""

    status: str
    at: datetime
    error_code: str | None = None


class StandingChannel(CamelWire, frozen=True, kw_only=True):
    """How a PIN's newest send stands on one channel."""

    channel: str
    status: str
    error_code: str | None = None
    tried: tuple[Attempt, ...] = ()
    receipt: CodeReceipt | None = None


class StandingPin(CamelWire, frozen=True, kw_only=True):
    """A PIN as it stands; `status` is `PENDING`, `VERIFIED`, `EXPIRED` or `BLOCKED`."""

    pin_id: str
    status: str
    expires_at: datetime
    attempts_remaining: int
    reference_id: str | None
    channels: tuple[StandingChannel, ...]
    created_at: datetime
    updated_at: datetime


class TemplateChannel(CamelWire, frozen=True, kw_only=True):
    """How a PIN template renders on one channel, in one language."""

    id: str
    channel_type: str
    channel_account_id: str
    provider_template_ref: str | None
    content_text: str
    subject_text: str | None
    is_default: bool
    language_code: str | None
    copy_code_button_index: int | None
    pin_placeholder: str
    param_defaults: dict[str, str]
    entity_id: str | None
    unicode: bool | None
    literal: bool
    web_otp_origin: str | None
    app_hash: str | None


class Finding(CamelWire, frozen=True, kw_only=True):
    """Something about a template that its author ought to know."""

    field: str
    message: str
    encoding: str | None = None
    segments: int | None = None


class PinTemplate(CamelWire, frozen=True, kw_only=True):
    """A PIN template (SPEC 2.8); durations are texts such as `10m`, rates such as `5/1d`."""

    id: str
    name: str
    status: str
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    created_by: str
    updated_by: str
    pin_length: int
    pin_type: str
    pin_attempts: int
    pin_time_to_live: str
    verify_pin_limit: str
    send_pin_per_template_limit: str
    send_pin_per_phone_number_limit: str
    resend_cooldown: str
    receipt: str | None
    channels: tuple[TemplateChannel, ...]
    findings: tuple[Finding, ...]


class ListTemplates(CamelWire, frozen=True, kw_only=True):
    """The parameters of a list of PIN templates (D4)."""

    search: str | None = None
    status: Literal["enabled", "disabled"] | None = None
    include_archived: bool | None = None
    sort_by: Literal["createdAt", "updatedAt", "name", "status"] | None = None
    sort_direction: Literal["asc", "desc"] | None = None
    page: int | None = None
    page_size: int | None = None


class PinTemplatePage(CamelWire, frozen=True, kw_only=True):
    """A page of PIN templates; the first page is 1."""

    page: int
    page_size: int
    total: int
    total_pages: int
    templates: tuple[PinTemplate, ...] = field(name="data")
