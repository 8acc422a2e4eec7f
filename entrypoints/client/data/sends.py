"""The body of a send: messages of one channel, a fallback, short links (SPEC 2.6, B1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import field

from .references import References, SmsReferences
from .wa_messages import WaMessage
from .wa_parts import WaComponent
from .wire import CamelWire, Wire, members


class SmsMessage(SmsReferences, frozen=True, kw_only=True, rename="camel"):
    """An SMS; the text of an `OTP` is never stored. `ttl` is in seconds."""

    sender: str
    recipient: str
    type: Literal["SI", "OTP", "SE"]
    message_body: str
    template_id: str | None = None
    entity_id: str | None = None
    unicode: bool | None = None
    ttl: int | None = None


class RcsTemplateMessage(CamelWire, frozen=True, kw_only=True):
    """The approved template of an RCS message, and the values of its placeholders."""

    template_code: str
    custom_params: Mapping[str, str] | None = None


class RcsContentMessage(CamelWire, frozen=True, kw_only=True):
    """The content of an RCS message."""

    template_message: RcsTemplateMessage


class RcsMessage(References, frozen=True, kw_only=True, rename="camel"):
    """An RCS message; with `message_type="OTP"`, its values are never stored. `ttl` is in seconds."""

    sender: str
    recipient: str
    content_message: RcsContentMessage
    message_type: str = "template"
    ttl: int | None = None


class FallbackSms(SmsReferences, frozen=True, kw_only=True, rename="camel"):
    """The SMS that a fallback sends; its type is checked when the fallback fires (C-21)."""

    sender: str
    type: str
    message_body: str
    template_id: str | None = None
    entity_id: str | None = None
    unicode: bool | None = None


class FallbackWa(References, frozen=True, kw_only=True, rename="camel"):
    """The WhatsApp template that a fallback sends."""

    sender: str
    template: str
    language_code: str
    template_components: Sequence[WaComponent] | None = None


class FallbackRcs(References, frozen=True, kw_only=True, rename="camel"):
    """The RCS template that a fallback sends."""

    sender: str
    template_code: str
    message_type: str = "template"
    custom_params: Mapping[str, str] | None = None


class Fallback(Wire, frozen=True, kw_only=True):
    """
    The messages that go out if the first does not arrive within `waittime` seconds (C-20).

    It has an object for each step of the account's fallback configuration. Channels of third parties
    stand in `others`, by name.
    """

    fallback_id: str
    waittime: int
    fallback: bool = True
    sms: FallbackSms | None = None
    wa: FallbackWa | None = None
    rcs: FallbackRcs | None = None
    others: Mapping[str, Mapping[str, object]] | None = None

    def members(self) -> dict[str, object]:
        """Return the fallback as it goes out, the channels of third parties beside ours."""
        wire = members(self)
        return {**wire.pop("others", {}), **wire}


class LongUrl(Wire, frozen=True, kw_only=True):
    """An address in a text that a short link replaces; with `track_user`, each recipient has an own link."""

    long_url: str = field(name="longUrl")
    domain: str | None = None
    track_user: bool | None = None


class UrlShortener(CamelWire, frozen=True, kw_only=True):
    """The addresses that short links replace (C-29)."""

    url_details: Sequence[LongUrl]
    flag: Literal[0, 1] = 1


class Send(CamelWire, frozen=True, kw_only=True):
    """The body of a send: exactly one of `sms`, `wa` and `rcs`."""

    sms: Sequence[SmsMessage] | None = None
    wa: Sequence[WaMessage] | None = None
    rcs: Sequence[RcsMessage] | None = None
    fallback: Mapping[str, object] | None = None
    prefix: str | None = None
    campaign_name: str | None = None
    url_shortener: UrlShortener | None = None


class SentMessage(CamelWire, frozen=True, kw_only=True):
    """One message of a send: `accepted`, or `rejected` with an `error_code`."""

    message_id: str
    channel: str
    recipient: str
    status: str
    cust_refs: dict[str, str]
    error_code: str | None = None
    error_message: str | None = None
    fallback_run_id: str | None = None


class SentFallback(Wire, frozen=True, kw_only=True):
    """The fallback of a send; `deadline` ends its first wait, and `waittime` is in seconds."""

    fallback_id: str
    waittime: str
    deadline: datetime


class SentMessages(CamelWire, frozen=True, kw_only=True):
    """The answer to a send: one entry for each recipient and message, in the order given."""

    status: str
    request_id: str
    messages: tuple[SentMessage, ...] = field(name="data")
    fallback: SentFallback | None = None
