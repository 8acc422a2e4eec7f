"""Findings about the SMS of a template: its cost, and what phones cannot read in it (C-87, D-525)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..channel import Channel
from ..errors import camel
from ..sms.autofill import MOST_BYTES, MOST_CHARACTERS, readers_of
from ..sms.length import Encoding, SmsLength, length_of
from .channel_content import TemplateChannel, render
from .guessing import Finding
from .pin_type import PinType
from .policy import PinPolicy

# So many of the characters that GSM-7 does not have are named.
_NAMED = 5
# From this part of all codes on, those without a digit are worth a word.
_FEW = 0.01


def sms_findings(policy: PinPolicy, channels: Sequence[TemplateChannel]) -> tuple[Finding, ...]:
    """Return one finding for each SMS entry, about its text as it goes out (D-524)."""
    return tuple(
        _finding(f"channels[{index}].content_text", entry, policy)
        for index, entry in enumerate(channels)
        if entry.channel_type is Channel.SMS
    )


def unread_by_phones(entry: TemplateChannel, policy: PinPolicy) -> tuple[str, ...]:
    """Return what is lost because phones cannot fill in the code of an SMS entry, in sentences."""
    code = _sample(policy)
    return tuple(_losses(_text(entry, code), code, policy))


def length_of_entry(entry: TemplateChannel, policy: PinPolicy) -> SmsLength:
    """Return the length of an SMS entry's text as it goes out, with empty values where it has no default."""
    return _measured(_text(entry, _sample(policy)), entry.unicode is True)


def several_segments(entry: TemplateChannel, policy: PinPolicy) -> str | None:
    """Return a sentence about an SMS entry that takes more than one segment; None if it takes one."""
    length = length_of_entry(entry, policy)
    return None if length.segments == 1 else _length_in_words(length)


def _finding(path: str, entry: TemplateChannel, policy: PinPolicy) -> Finding:
    code = _sample(policy)
    text = _text(entry, code)
    length = _measured(text, entry.unicode is True)
    said = [_length_in_words(length)]
    if entry.required:
        positions = ", ".join(f"{{{{{each}}}}}" for each in sorted(entry.required, key=int))
        said.append(f"The values of {positions} come on top.")
    said += _losses(text, code, policy)
    return Finding(camel(path), " ".join(said), length.encoding, length.segments)


def _text(entry: TemplateChannel, code: str) -> str:
    return render(entry, code, dict.fromkeys(entry.required, "")).text


def _sample(policy: PinPolicy) -> str:
    # Every character of a code is of GSM-7, so that any code has the length of all.
    alphabet = policy.pin_type.alphabet
    return "".join(alphabet[at % len(alphabet)] for at in range(policy.pin_length))


# A page of templates measures the same texts again and again.
@lru_cache(maxsize=1024)
def _measured(text: str, unicode: bool) -> SmsLength:
    return length_of(text, unicode=unicode)


def _length_in_words(length: SmsLength) -> str:
    segments = f"{length.segments} {'segment' if length.segments == 1 else 'segments'}"
    said = f"Goes out in {segments} of {length.encoding}, with {length.units} characters"
    if length.encoding is Encoding.GSM_7:
        return f"{said}."
    if not length.beyond:
        return f"{said}: the entry asks for Unicode, although GSM-7 has all of them."
    named = " ".join(length.beyond[:_NAMED])
    more = " and others" if len(length.beyond) > _NAMED else ""
    return f"{said}: GSM-7 does not have {named}{more}."


def _losses(text: str, code: str, policy: PinPolicy) -> Iterator[str]:
    readers = readers_of(text, code)
    if not readers.browsers and not readers.app:
        yield (
            "Phones have to guess the code in it, for any site that asks, and Android hands it to no app:"
            f" set {camel('web_otp_origin')} for a website, or {camel('app_hash')} for an app."
        )
    if readers.app and (octets := len(text.encode("utf-8", "replace"))) > MOST_BYTES:
        yield (
            f"It has {octets} bytes in UTF-8, and Android's SMS Retriever wants at most {MOST_BYTES}:"
            " the app may not get it."
        )
    if readers.browsers and len(text) > MOST_CHARACTERS:
        yield (
            f"It has {len(text)} characters, and Chrome on Android wants at most {MOST_CHARACTERS}:"
            " it may not fill the code in."
        )
    if readers.browsers and not readers.chrome:
        yield (
            "Chrome on Android reads the first @host #CODE of a text, and this one has another before"
            " its last line: take that out."
        )
    if readers.browsers and (part := _without_digits(policy)) >= _FEW:
        yield (
            f"Chrome on Android finds codes with a digit alone, and {part:.0%} of these codes have none:"
            f" set {camel('pin_type')} to {PinType.NUMERIC}."
        )


def _without_digits(policy: PinPolicy) -> float:
    """Return the part of all codes that have no digit."""
    alphabet = policy.pin_type.alphabet
    letters = sum(each.isalpha() for each in alphabet)
    return float((letters / len(alphabet)) ** policy.pin_length)
