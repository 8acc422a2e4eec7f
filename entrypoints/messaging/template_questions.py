"""Requests for message templates (SPEC 4 A2, C-54)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import field, fields, frozen
from attrs.validators import optional

from ...application.message_templates.fetching_templates import TemplateFilters
from ...domain.approval import ApprovalStatus
from ...domain.channel import Channel
from ...domain.errors import camel
from ...domain.rcs_template import MessageType
from ...domain.whatsapp_template import Category
from ..wire.known_members import know
from ..wire.lenient_values import LocalTime
from ..wire.structuring import structure
from .field_limits import a_sender_profile
from .message_questions import not_negative

CHANNEL_WORDS = ("RCS", "WA", "whatsapp")
_CHANNELS = {"rcs": Channel.RCS, "wa": Channel.WHATSAPP, "whatsapp": Channel.WHATSAPP}
# The filters; an empty text counts as missing (D-42).
_FILTERS = ("senderProfile", "messageType", "status", "createdDate", "templateName")


def _one_of(words: Iterable[str]) -> Callable[[Any, Any, Any], None]:
    """Return a validator: a text must be one of these words, in any case (C-24)."""
    known = tuple(words)

    def check(_instance: object, _attribute: object, value: str) -> None:
        if _spelt(value, known) is None:
            raise ValueError(f"must be one of {', '.join(known)}")

    return check


def _spelt(value: str, words: Iterable[str]) -> str | None:
    return next((each for each in words if each.casefold() == value.casefold()), None)


@frozen(kw_only=True)
class TemplateQuestion:
    """A page of templates, counted from 0; `created_date` is the earliest time of creation."""

    channel: str = field(validator=_one_of(CHANNEL_WORDS))
    sender_profile: str | None = None
    message_type: str | None = None
    status: str | None = field(default=None, validator=optional(_one_of(ApprovalStatus)))
    created_date: LocalTime | None = None
    template_name: str | None = None
    page_no: int = field(validator=not_negative)
    limit: int = field(validator=not_negative)

    @property
    def filters(self) -> TemplateFilters:
        """The filters in the stored spelling."""
        status = self.status and _spelt(self.status, ApprovalStatus)
        categories = (*MessageType, *Category)
        channel = _CHANNELS[self.channel.casefold()]
        return TemplateFilters(
            channel=channel,
            # WhatsApp templates have no sender profile, so this filter does not apply to them (C-54).
            sender_profile=self.sender_profile if channel is Channel.RCS else None,
            category=self.message_type and _spelt(self.message_type, categories),
            status=ApprovalStatus(status) if status else None,
            since=self.created_date,
            name=self.template_name,
        )


@frozen(kw_only=True)
class _RcsTemplateQuestion(TemplateQuestion):
    sender_profile: str = field(validator=a_sender_profile)
    message_type: str = field(validator=_one_of(MessageType))


@frozen(kw_only=True)
class _WhatsappTemplateQuestion(TemplateQuestion):
    message_type: str | None = field(default=None, validator=optional(_one_of(Category)))


_QUESTIONS: Mapping[Channel | None, type[TemplateQuestion]] = {
    Channel.RCS: _RcsTemplateQuestion,
    Channel.WHATSAPP: _WhatsappTemplateQuestion,
    None: TemplateQuestion,
}


def template_question(body: Any) -> TemplateQuestion:
    """Read a request; raises `ValidationFailedError`, which names every wrong field."""
    channel = None
    know(body, (camel(each.name) for each in fields(TemplateQuestion)))
    if isinstance(body, dict):
        body = {name: value for name, value in body.items() if value != "" or name not in _FILTERS}
        named = body.get("channel")
        channel = _CHANNELS.get(named.casefold()) if isinstance(named, str) else None
    return structure(body, _QUESTIONS[channel])
