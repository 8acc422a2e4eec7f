"""The fallback in the body of a send (SPEC 2.6, C-20, C-21, C-52)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from attrs import field, frozen

from ...application.messages.planning.send_requests import FallbackRequest, StepRequest
from ...domain.accounts.fallback_configuration import MAX_ID_LENGTH
from ...domain.channel import Channel, ChannelName
from ...domain.fallback_run import LONGEST_WAITTIME
from ...domain.limits import NO_CONTROLS, FromTo, OneLine, has_controls
from ...domain.message import ProviderContent, RcsTemplateContent, WhatsappTemplateContent
from ...domain.template_filling import read_components
from ..wire.known_members import pass_on
from ..wire.lenient_values import WholeNumber
from .field_limits import a_language, a_sender, a_template_name, an_rcs_message_type
from .message_bodies import RcsTemplateMessage, SmsBody
from .message_rules import (
    REFERENCE,
    SMS_REFERENCE,
    check_dlt_ids,
    custom_references,
    members,
)
from .problems import Problems


@frozen(kw_only=True)
class FallbackBody:
    """The members of a fallback beside the objects of its steps."""

    fallback_id: str = field(validator=OneLine(1, MAX_ID_LENGTH))
    fallback: bool
    waittime: WholeNumber = field(validator=FromTo(1, LONGEST_WAITTIME))


@frozen(kw_only=True)
class FallbackWa:
    """WhatsApp in a fallback: a template by name."""

    sender: str = field(validator=a_sender)
    template: str = field(validator=a_template_name)
    language_code: str = field(validator=a_language)
    template_components: tuple[Mapping[str, Any], ...] | None = field(default=None, repr=False)

    @property
    def content(self) -> WhatsappTemplateContent:
        """The content of the message."""
        return WhatsappTemplateContent(
            name=self.template,
            language=self.language_code,
            components=self.template_components or (),
        )


@frozen(kw_only=True)
class FallbackRcs(RcsTemplateMessage):
    """RCS in a fallback."""

    sender: str = field(validator=a_sender)
    message_type: str = field(validator=an_rcs_message_type)

    @property
    def content(self) -> RcsTemplateContent:
        """The content of the message."""
        return RcsTemplateContent(
            message_type=self.message_type,
            template_code=self.template_code,
            params=self.custom_params or {},
        )


# The objects by their names on the wire: channel, type, and prefix of their custom references.
_STEPS: Mapping[str, tuple[Channel, type[SmsBody | FallbackWa | FallbackRcs], str]] = {
    "sms": (Channel.SMS, SmsBody, SMS_REFERENCE),
    "wa": (Channel.WHATSAPP, FallbackWa, REFERENCE),
    "rcs": (Channel.RCS, FallbackRcs, REFERENCE),
}
_NAMES: Mapping[ChannelName, str] = {channel: name for name, (channel, *_) in _STEPS.items()}
# The member with a step's values, if that is not the whole object.
_VALUES: Mapping[type, str] = {FallbackWa: ".templateComponents", FallbackRcs: ".customParams"}
# An adapter with one of these names is a provider of that channel, and no separate channel.
_OWN = _STEPS.keys() | {channel for channel, *_ in _STEPS.values()}


def fallback_request(
    problems: Problems, raw: Any, in_need: Collection[str], third_parties: Collection[str]
) -> FallbackRequest | None:
    """
    Read the fallback of a send; return None if it is missing, switched off or wrong.

    `in_need` are the recipients, with prefixes, to whom an SMS may need DLT ids. The run checks the SMS
    type (C-21). Objects under the names of `third_parties` pass unchanged.
    """
    given = members(raw)
    if raw is None or given.get("fallback") is False:
        pass_on(raw)
        return None
    body = problems.read("fallback", raw, FallbackBody)
    own = [_step(problems, name, given[name]) for name in _STEPS if given.get(name) is not None]
    others = [
        _third_party(problems, name, given[name])
        for name in sorted(set(third_parties) - _OWN)
        if given.get(name) is not None
    ]
    if given.get("sms") is not None:
        check_dlt_ids(problems, "fallback.sms", members(given["sms"]), in_need)
    if body is None:
        return None
    return FallbackRequest(
        fallback_id=body.fallback_id,
        waittime_seconds=body.waittime,
        steps={step.channel: step for step in (*own, *others) if step is not None},
        name_of=_name_of,
    )


def _name_of(channel: ChannelName) -> str:
    """Return the wire name of a channel's object (C-45)."""
    return _NAMES.get(channel, channel)


def _step(problems: Problems, name: str, raw: Any) -> StepRequest | None:
    channel, kind, references = _STEPS[name]
    path = f"fallback.{name}"
    body = problems.read(path, raw, kind)
    cust_refs = custom_references(problems, path, members(raw), references)
    if body is None:
        return None
    content, content_path = body.content, f"{path}{_VALUES.get(kind, '')}"
    if isinstance(content, WhatsappTemplateContent):
        problems.found += read_components(content.components, content_path)[1]
    return StepRequest(
        channel=channel,
        sender=body.sender,
        content=content,
        cust_refs=cust_refs,
        path=path,
        content_path=content_path,
    )


def _third_party(problems: Problems, name: str, raw: Any) -> StepRequest | None:
    path = f"fallback.{name}"
    if not isinstance(raw, dict):
        problems.note(path, "must be an object")
        return None
    sender = raw.get("sender")
    if isinstance(sender, str) and has_controls(sender):
        problems.note(f"{path}.sender", NO_CONTROLS)
    pass_on(raw)
    return StepRequest(
        channel=name,
        sender=sender if isinstance(sender, str) else "",
        content=ProviderContent(payload=raw),
        path=path,
        content_path=path,
    )
