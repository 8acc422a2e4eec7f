"""Judge the texts of a PIN template, without storing or sending anything (C-87)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import frozen

from ...domain import pin_template as templates
from ...domain.channel import Channel
from ...domain.errors import camel
from ...domain.pin_template import TemplateChannel
from ...domain.pin_template.guessing import Finding, guessing
from ...domain.pin_template.policy import PinPolicy
from ...domain.pin_template.sms_findings import (
    length_of_entry,
    several_segments,
    unread_by_phones,
)
from ...domain.sms.length import Encoding
from .template_channels import BuiltChannels, ChannelEntry, entry_problems, template_channel

# No decision on the form of a template depends on its moment.
_ANY_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
_BY = "lint"


@frozen(kw_only=True)
class LintedEntry:
    """One channel entry of a template; of an SMS with the length of its text as it goes out."""

    field: str
    channel_type: Channel
    language_code: str | None
    encoding: Encoding | None = None
    segments: int | None = None
    characters: int | None = None


@frozen(kw_only=True)
class Lint:
    """The entries of a template, and what their author should mend, by path (D-527)."""

    entries: tuple[LintedEntry, ...]
    findings: tuple[Finding, ...]


def lint(policy: PinPolicy, channels: Sequence[TemplateChannel]) -> Lint:
    """Judge a template that a store has."""
    named = [(f"channels[{index}]", entry) for index, entry in enumerate(channels)]
    findings = list(guessing(policy))
    for path, entry in named:
        if entry.channel_type is Channel.SMS:
            # A text in one segment costs what it must, so its length is no finding.
            several = several_segments(entry, policy)
            said = [*([several] if several else []), *unread_by_phones(entry, policy)]
            findings += [Finding(camel(f"{path}.content_text"), each) for each in said]
    return Lint(
        entries=tuple(_linted(path, entry, policy) for path, entry in named),
        findings=tuple(findings),
    )


def lint_draft(name: str, policy: PinPolicy, given: Sequence[ChannelEntry]) -> Lint:
    """
    Judge a template that no store has yet; its channel accounts are not looked up.

    Raises `ValidationFailedError` with everything for which its creation would be refused.
    """
    paths = [f"channels[{index}]" for index in range(len(given))]
    pairs = list(zip(paths, given, strict=True))
    entries = tuple(template_channel(entry, path, "") for path, entry in pairs)
    problems = tuple(each for path, entry in pairs for each in entry_problems(path, entry))
    decision = BuiltChannels(entries, problems).decided(
        lambda channels: templates.create(
            templates.CreatePinTemplate(
                at=_ANY_MOMENT,
                by=_BY,
                account_id="",
                name=name,
                policy=policy,
                channels=channels,
            )
        )
    )
    (created,) = decision.events
    assert isinstance(created, templates.PinTemplateCreated)
    return lint(policy, created.channels)


def _linted(path: str, entry: TemplateChannel, policy: PinPolicy) -> LintedEntry:
    if entry.channel_type is not Channel.SMS:
        return LintedEntry(
            field=path, channel_type=entry.channel_type, language_code=entry.language_code
        )
    length = length_of_entry(entry, policy)
    return LintedEntry(
        field=path,
        channel_type=entry.channel_type,
        language_code=entry.language_code,
        encoding=length.encoding,
        segments=length.segments,
        characters=length.units,
    )
