"""The starter texts, and the channel entries of a PIN template that they make (D-526, C-86)."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import fields_dict, frozen

from ...application.pins.template_channels import ChannelEntry
from ...domain.channel import Channel
from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...domain.language_tags import NOT_A_TAG, is_tag, look_up, read_tag

_FILE = Path(__file__).with_name("starter_texts.toml")
# On WhatsApp, the provider has the text.
STARTER_CHANNELS = (Channel.SMS, Channel.EMAIL)
# What a language decides.
_OWN = {"channelType", "languageCode", "contentText", "subjectText"}
_FURTHER = sorted({camel(name) for name in fields_dict(ChannelEntry)} - _OWN)


@frozen(kw_only=True)
class StarterText:
    """
    The text of a code in one language, and the subject of an e-mail.

    `also` are further tags that phones and browsers send for the language. `reviewed_by_second_reader`
    says whether somebody else than the author has read it.
    """

    tag: str
    name: str
    text: str
    subject: str
    reviewed_by_second_reader: bool
    also: Sequence[str] = ()


@cache
def starter_texts() -> tuple[StarterText, ...]:
    """Return the starter texts, in the order of their file."""
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(StarterText(**each) for each in read["language"])


def starter_text(tag: str) -> StarterText | None:
    """Return the text that is best for a language tag, by the look-up of RFC 4647; None if none is."""
    tags = [(known, each) for each in starter_texts() for known in (each.tag, *each.also)]
    found = look_up(tag, [known for known, _ in tags])
    return None if found is None else tags[found][1]


def starter_channels(
    *languages: str, channel: str = Channel.SMS, **members: Any
) -> list[dict[str, Any]]:
    """
    Return one channel entry of a PIN template for each language, in the documented spelling (C-86).

    `languages` are language tags: `de-AT` gets the text of `de`, and stays `de-AT`. The first one is for
    people without a language, or with another. `members` are further members of each entry, in either
    spelling, such as `web_otp_origin`.

    Raises `ValidationFailedError` for a language without a text, for a channel other than sms and email, and
    for a member that entries do not have: a misspelt `web_otp_origin` would be missed by people with phones.
    """
    problems = []
    if channel not in STARTER_CHANNELS:
        problems.append(
            FieldProblem("channel", "must be sms or email: others have no text of ours")
        )
    if not languages:
        problems.append(FieldProblem("languages", "must name at least one language"))
    shared = {camel(name): value for name, value in members.items()}
    further = ", ".join(_FURTHER)
    problems += [
        FieldProblem(name, f"is no member that a starter text leaves open: these are {further}")
        for name in shared
        if name not in _FURTHER
    ]
    entries = []
    for at, tag in enumerate(languages):
        found = starter_text(tag)
        if found is None:
            problems.append(FieldProblem(f"languages[{at}]", _unknown(tag)))
            continue
        entry = {"channelType": str(channel), "languageCode": read_tag(tag), **shared}
        entry["contentText"] = found.text
        if channel == Channel.EMAIL:
            entry["subjectText"] = found.subject
        entries.append(entry)
    if problems:
        raise ValidationFailedError(problems)
    return entries


def _unknown(tag: str) -> str:
    if not is_tag(tag):
        return NOT_A_TAG
    known = ", ".join(each.tag for each in starter_texts())
    return f"has no starter text; there are {known}"
