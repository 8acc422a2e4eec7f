"""Typed requests of callers, operators and embedders for which no use case has its own type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from attrs import field, fields, frozen
from attrs.validators import optional

from ...application.channel_accounts.patch import ChannelAccountPatch
from ...application.guard.naming_subjects import SubjectNamed
from ...application.pins.template_channels import ChannelEntry
from ...domain.accounts.api_key import Scope
from ...domain.accounts.channel_account import ChannelLimits, PrefixPrice
from ...domain.accounts.fallback_configuration import a_fallback_id, few_steps
from ...domain.approval import MAX_REASON
from ...domain.channel import Channel
from ...domain.destination import MAX_LENGTH as MAX_DESTINATION_LENGTH
from ...domain.dlt.template import MAX_ID_LENGTH, MAX_TEXT_LENGTH
from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...domain.legacy.legacy_user import MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, an_email
from ...domain.limits import Characters, Entries, OneLine
from ...domain.naming import a_name
from ...domain.pin.code import MAX_TYPED_LENGTH
from ...domain.pin_template import MAX_ENTRIES
from ...domain.pin_template.policy import PinPolicy
from ...domain.value import value
from .structuring import structure

T = TypeVar("T")


def channel_named(name: str) -> str:
    """Return a channel's name as answers show it; callers may say `wa` (C-45)."""
    return str(Channel.WHATSAPP) if name == "wa" else name


@frozen(kw_only=True)
class NewAccount:
    """The body that creates an account."""

    name: str = field(validator=a_name)


@frozen(kw_only=True)
class NewKey:
    """The body that creates an API key; all scopes by default."""

    account: str | None = None
    name: str
    scopes: tuple[Scope, ...] | None = None
    template_auto_match: bool = False
    expires_at: datetime | None = None


@frozen(kw_only=True)
class PersonQuestion:
    """The body that names a person of an account."""

    account: str | None = None
    destination: str = field(repr=False, validator=Characters(1, MAX_DESTINATION_LENGTH))


@frozen(kw_only=True)
class Erasure(PersonQuestion):
    """The body that erases a person; a dry run only counts."""

    dry_run: bool = False


@frozen(kw_only=True)
class SubjectRelease(SubjectNamed):
    """The body that releases a subject of a rule in an account."""

    account: str | None = None


@frozen(kw_only=True)
class NewTestDestination:
    """The body that gives a destination a fixed code, or revises it."""

    account: str | None = None
    destination: str = field(repr=False, validator=Characters(1, MAX_DESTINATION_LENGTH))
    code: str = field(repr=False, validator=Characters(1, MAX_TYPED_LENGTH))
    until: datetime


@frozen(kw_only=True)
class NewChannelAccount:
    """The body that creates a channel account."""

    account: str | None = None
    channel_type: str
    provider: str
    name: str = field(validator=a_name)
    sender: str | None = None
    config: Mapping[str, Any] = field(factory=dict, repr=False)
    limits: ChannelLimits | None = None
    failover: tuple[str, ...] | None = None
    failover_on_unknown: bool | None = None
    prices: tuple[PrefixPrice, ...] | None = None

    @property
    def channel(self) -> str:
        """The channel under the name that answers use."""
        return channel_named(self.channel_type)


@frozen(kw_only=True)
class ChannelAccountChange:
    """
    The body that changes a channel account; missing members stay unchanged, null removes one.

    `config` and `limits` are merged by member. Provider and channel may be given, but not changed.
    """

    name: str | None = field(default=None, validator=a_name)
    sender: str | None = None
    config: Mapping[str, Any] | None = field(default=None, repr=False)
    limits: ChannelLimits | None = None
    failover: tuple[str, ...] | None = None
    failover_on_unknown: bool | None = None
    prices: tuple[PrefixPrice, ...] | None = None
    provider: str | None = None
    channel_type: str | None = None

    def patch(self, raw: Mapping[str, Any]) -> ChannelAccountPatch:
        """Return the change in a body, whose members tell what stays and what is removed."""
        given = [each.name for each in fields(ChannelAccountChange) if camel(each.name) in raw]
        facts = {name: getattr(self, name) for name in given}
        if self.limits is not None:
            limits = {each.name: camel(each.name) for each in fields(ChannelLimits)}
            facts["limits"] = {
                name: getattr(self.limits, name)
                for name, spelled in limits.items()
                if spelled in raw["limits"]
            }
        if self.channel_type is not None:
            facts["channel_type"] = channel_named(self.channel_type)
        return ChannelAccountPatch(given=frozenset(given), **facts)


@frozen(kw_only=True)
class NewCallback:
    """The body that creates a callback endpoint; by default with all types and a new secret."""

    account: str | None = None
    url: str = field(repr=False)
    events: tuple[str, ...] | None = None
    secret: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class NewFallbackConfiguration:
    """The body that creates a fallback configuration; a step is a channel or an adapter's name."""

    account: str | None = None
    fallback_id: str = field(validator=a_fallback_id)
    steps: tuple[str, ...] = field(validator=few_steps)

    @property
    def channels(self) -> tuple[str, ...]:
        """The steps under the names that answers use."""
        return tuple(channel_named(each) for each in self.steps)


@frozen(kw_only=True)
class NewDltTemplate:
    """The body that registers a DLT template; `{#var#}` in its text is a variable."""

    account: str | None = None
    template_id: str = field(validator=Characters(1, MAX_ID_LENGTH))
    entity_id: str = field(validator=Characters(1, MAX_ID_LENGTH))
    text: str = field(validator=Characters(1, MAX_TEXT_LENGTH))


@frozen(kw_only=True)
class RcsTemplateReview:
    """The body that submits, approves or rejects an RCS template; a submission needs no reason."""

    account: str | None = None
    sender_profile: str | None = None
    reason: str | None = field(default=None, validator=Characters(0, MAX_REASON))


@frozen(kw_only=True)
class WhatsappTemplateReview:
    """The body that approves or rejects a WhatsApp template, in a language if there are several."""

    account: str | None = None
    language: str | None = None
    reason: str | None = field(default=None, validator=Characters(0, MAX_REASON))


@frozen(kw_only=True)
class NewLegacyUser:
    """The body that creates a legacy user; passwords come from another platform, so any is allowed."""

    account: str | None = None
    email: str = field(repr=False, validator=an_email)
    password: str = field(repr=False, validator=Characters(1, MAX_PASSWORD_LENGTH))


@frozen(kw_only=True)
class LegacyLogin:
    """The body of E1; with `never_expire` the token does not expire after an hour without use."""

    email: str = field(repr=False, validator=Characters(1, MAX_EMAIL_LENGTH))
    password: str = field(repr=False, validator=Characters(1, MAX_PASSWORD_LENGTH))
    never_expire: bool = False


@frozen(kw_only=True)
class LegacyRating:
    """The body of E3; the rating is any text of the client."""

    chat_id: str = field(validator=OneLine(1, 200))
    phone: str = field(repr=False, validator=OneLine(1, MAX_DESTINATION_LENGTH))
    rating: str = field(validator=OneLine(1, 200))


@frozen(kw_only=True)
class NewPinTemplate:
    """The body that creates a template; its limits are further members (SPEC 2.8)."""

    account: str | None = None
    name: str = field(validator=a_name)
    channels: tuple[ChannelEntry, ...] = field(validator=Entries(1, MAX_ENTRIES))


@frozen(kw_only=True)
class PinTemplatePatch:
    """The body that revises a template; missing members stay unchanged."""

    name: str | None = field(default=None, validator=a_name)
    channels: tuple[ChannelEntry, ...] | None = field(
        default=None, validator=optional(Entries(1, MAX_ENTRIES))
    )


@value
class VerifyRequest:
    """The body of D3: the code exactly as the user typed it."""

    pin: str = field(repr=False)


def channel_facts(body: NewChannelAccount) -> dict[str, Any]:
    """Return the settings of a new channel account as the use case takes them."""
    return {
        "channel_type": body.channel,
        "provider": body.provider,
        "name": body.name,
        "sender": body.sender,
        "config": body.config,
        "limits": body.limits or ChannelLimits(),
        "failover": body.failover or (),
        "failover_on_unknown": body.failover_on_unknown,
        "prices": body.prices or (),
    }


def with_policy(raw: Any, kind: type[T]) -> tuple[T, PinPolicy]:
    """Read one body as two types; report the problems of both at once."""
    problems: list[FieldProblem] = []
    parts: list[Any] = []
    for each in (kind, PinPolicy):
        try:
            parts.append(structure(raw, each))
        except ValidationFailedError as refusal:
            problems += (p for p in refusal.problems if p not in problems)
    if problems:
        raise ValidationFailedError(problems)
    return parts[0], parts[1]


def revised_policy(raw: Mapping[str, Any]) -> Callable[[PinPolicy], PinPolicy] | None:
    """Return the change of a template's limits in a body; None if it names no limit."""
    names = {camel(each.name): each.name for each in fields(PinPolicy)}
    if not names.keys() & raw.keys():
        return None

    def revised(present: PinPolicy) -> PinPolicy:
        kept = {spelled: getattr(present, name) for spelled, name in names.items()}
        return structure({**kept, **raw}, PinPolicy)

    return revised
