"""The decisions on a PIN template, and its checks before a send."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ..channel import PIN_CHANNELS, Channel
from ..decider import Decision
from ..errors import FieldProblem, ValidationFailedError, camel
from ..language_tags import look_up, same_language
from ..limits import NO_CONTROLS, has_controls
from ..naming import name_problems
from ..placeholders import carries_code
from .channel_content import TemplateChannel, with_controls
from .commands import CreatePinTemplate, RevisePinTemplate, TemplateMark
from .errors import ChannelNotConfiguredError, TemplateDisabledError
from .events import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from .states import PinTemplate, TemplateStatus

_DEFAULT_TEXT = "Your verification code is {pin}."
_DEFAULT_SUBJECT = "Your verification code"
_AUTOFILL = ("web_otp_origin", "app_hash")
_ONE_LINE = (
    "subject_text",
    "provider_template_ref",
    "language_code",
    "pin_placeholder",
    "entity_id",
)


def create(command: CreatePinTemplate) -> Decision:
    """Create a template from a name and at least one channel; other settings have defaults (C-35)."""
    channels = tuple(_with_defaults(entry) for entry in command.channels)
    _check(command.name, channels)
    created = PinTemplateCreated(
        at=command.at,
        by=command.by,
        account_id=command.account_id,
        name=command.name,
        policy=command.policy,
        channels=_with_one_default(channels),
    )
    return Decision((created,))


def revise(template: PinTemplate, command: RevisePinTemplate) -> Decision:
    """Replace the given parts. PINs that were sent keep the limits of their send."""
    _refuse_archived(template)
    channels = template.channels
    if command.channels is not None:
        channels = tuple(_with_defaults(entry) for entry in command.channels)
    name = template.name if command.name is None else command.name
    _check(name, channels)
    revised = PinTemplateRevised(
        at=command.at,
        by=command.by,
        name=name,
        policy=command.policy or template.policy,
        channels=_with_one_default(channels),
    )
    if (revised.name, revised.policy, revised.channels) == (
        template.name,
        template.policy,
        template.channels,
    ):
        return Decision()
    return Decision((revised,))


def enable(template: PinTemplate, mark: TemplateMark) -> Decision:
    """Allow sends again; nothing happens when they are allowed already."""
    _refuse_archived(template)
    if template.status is TemplateStatus.ENABLED:
        return Decision()
    return Decision((PinTemplateEnabled(at=mark.at, by=mark.by),))


def disable(template: PinTemplate, mark: TemplateMark) -> Decision:
    """Stop sends. PINs that were sent can still be verified (C-14)."""
    _refuse_archived(template)
    if template.status is TemplateStatus.DISABLED:
        return Decision()
    return Decision((PinTemplateDisabled(at=mark.at, by=mark.by),))


def archive(template: PinTemplate, mark: TemplateMark) -> Decision:
    """Archive the template; this is final."""
    if template.archived_at is not None:
        return Decision()
    return Decision((PinTemplateArchived(at=mark.at, by=mark.by),))


def require_usable(template: PinTemplate) -> None:
    """Refuse sends under a disabled or archived template (C-9)."""
    _refuse_archived(template)
    if template.status is TemplateStatus.DISABLED:
        raise TemplateDisabledError(archived=False)


def channels_for(
    template: PinTemplate, requested: Sequence[Channel] | None, locale: str | None = None
) -> tuple[TemplateChannel, ...]:
    """
    Return the entry of each requested channel; for None, that of the default channel (D1, C-15).

    Of several entries of a channel it is the best one for the locale, else the first one (C-86).
    """
    configured = template.by_channel
    if requested is None:
        return (_in_language(configured[template.default_channel], locale),)
    entries: dict[Channel, TemplateChannel] = {}
    for channel in requested:
        if channel not in configured:
            raise ChannelNotConfiguredError(channel, configured)
        entries[channel] = _in_language(configured[channel], locale)
    return tuple(entries.values())


def _in_language(entries: Sequence[TemplateChannel], locale: str | None) -> TemplateChannel:
    if locale is None or len(entries) == 1:
        return entries[0]
    found = look_up(locale, [entry.language_code for entry in entries])
    return entries[found or 0]


def default_texts(pin_placeholder: str) -> tuple[str, str]:
    """Return the text and the subject of a channel entry that has none of its own (C-35)."""
    return _DEFAULT_TEXT.format(pin=pin_placeholder), _DEFAULT_SUBJECT


def _refuse_archived(template: PinTemplate) -> None:
    if template.archived_at is not None:
        raise TemplateDisabledError(archived=True)


def _with_defaults(entry: TemplateChannel) -> TemplateChannel:
    """Fill in defaults for missing fields, and drop fields that the channel does not use."""
    email = entry.channel_type is Channel.EMAIL
    whatsapp = entry.channel_type is Channel.WHATSAPP
    sms = entry.channel_type is Channel.SMS
    default_text, default_subject = default_texts(entry.pin_placeholder)
    text = entry.content_text
    if not text and not whatsapp:
        text = default_text
    return attrs.evolve(
        entry,
        content_text=text,
        subject_text=(entry.subject_text or default_subject) if email else None,
        copy_code_button_index=entry.copy_code_button_index if whatsapp else None,
        entity_id=entry.entity_id if sms else None,
        unicode=bool(entry.unicode) if sms else None,
        web_otp_origin=entry.web_otp_origin and entry.web_otp_origin.lower(),
    )


def _check(name: str, channels: Sequence[TemplateChannel]) -> None:
    problems = name_problems(name)
    if not channels:
        problems.append(FieldProblem("channels", "must have at least one entry"))
    for index, entry in enumerate(channels):
        problems += _channel_problems(f"channels[{index}]", entry, channels[:index])
    if sum(entry.is_default for entry in channels) > 1:
        problems.append(FieldProblem("channels", "must have at most one default entry"))
    if problems:
        raise ValidationFailedError(problems)


def _channel_problems(
    path: str, entry: TemplateChannel, earlier: Sequence[TemplateChannel]
) -> list[FieldProblem]:
    problems = []
    if entry.channel_type not in PIN_CHANNELS:
        problems.append(FieldProblem(f"{path}.channel_type", "must be sms, whatsapp or email"))
    if any(_stands_for_the_same(entry, other) for other in earlier):
        problems.append(_second_entry(path, entry))
    # A code missing from the text would never be sent. On WhatsApp, the provider has the text.
    if entry.channel_type is not Channel.WHATSAPP and not carries_code(
        entry.content_text, entry.pin_placeholder
    ):
        problems.append(
            FieldProblem(
                f"{path}.content_text", f"must contain the placeholder {entry.pin_placeholder}"
            )
        )
    return problems + _autofill_problems(path, entry) + _control_problems(path, entry)


def _stands_for_the_same(entry: TemplateChannel, other: TemplateChannel) -> bool:
    same_channel = entry.channel_type is other.channel_type
    return same_channel and same_language(entry.language_code, other.language_code)


def _second_entry(path: str, entry: TemplateChannel) -> FieldProblem:
    if not entry.language_code:
        # One entry of a channel may be for all other languages; a second one would never be sent.
        said = f"has a second entry for {entry.channel_type} without a {camel('language_code')}"
        return FieldProblem(f"{path}.channel_type", said)
    said = f"is that of another entry for {entry.channel_type}"
    return FieldProblem(f"{path}.language_code", said)


def _autofill_problems(path: str, entry: TemplateChannel) -> list[FieldProblem]:
    given = [name for name in _AUTOFILL if getattr(entry, name) is not None]
    if entry.channel_type is not Channel.SMS:
        return [FieldProblem(f"{path}.{name}", "is for sms alone") for name in given]
    if len(given) > 1:
        said = f"cannot stand beside {camel(given[0])}: a text has one last line"
        return [FieldProblem(f"{path}.{given[1]}", said)]
    return []


def _control_problems(path: str, entry: TemplateChannel) -> list[FieldProblem]:
    """Yield control characters in a channel's fields that could alter a mail header or a list (C-98)."""
    problems = [
        FieldProblem(f"{path}.{name}", NO_CONTROLS)
        for name in _ONE_LINE
        if has_controls(getattr(entry, name) or "")
    ]
    problems += [
        FieldProblem(f"{path}.param_defaults.{key}", f"{NO_CONTROLS}: it stands in the subject")
        for key in sorted(with_controls(entry.subject_positions, entry.param_defaults), key=int)
    ]
    return problems


def _with_one_default(channels: tuple[TemplateChannel, ...]) -> tuple[TemplateChannel, ...]:
    if any(entry.is_default for entry in channels):
        return channels
    return (attrs.evolve(channels[0], is_default=True), *channels[1:])
