"""Destinations: what each channel accepts, and the forms for counting and for showing (C-89)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from .channel import Channel, ChannelName
from .errors import FieldProblem, ValidationFailedError
from .event import ERASED

MAX_LENGTH = 64
INVALID_DESTINATION = "invalid_destination"
INVALID_RECIPIENT = "invalid_recipient"
NOT_A_NUMBER = "must be a phone number of 7 to 15 digits, such as +919812345610"
NOT_AN_ADDRESS = "must be one e-mail address of plain letters, such as asha@example.com"

_DECORATION = str.maketrans("", "", " -.()")
# The calling codes of ITU-T E.164. No code is the beginning of another, and none begins with a zero.
_CALLING_CODE = (
    "[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9][0-9]{2}|[2-9][0-9]?"
)
_NUMBER = re.compile(
    rf"(?:\+|00|(?!00))(?=[0-9]{{7,15}}\Z)0*(?P<country>{_CALLING_CODE})0*(?P<rest>[0-9]*)"
)
# A dot-atom (RFC 5322) at a name with a dot, without the characters that once routed mail onwards
# (D-126). A match never begins an encoded word (RFC 2047): decoding one could add a line break to a
# header (D-166).
_WORD = "[A-Za-z0-9#$&'*+/=?^_`{|}~-]+"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?!.*=\?){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+(?![0-9]+\Z){_LABEL}")
# How programs write that a number or an address follows.
_SCHEME = re.compile(r"(?i:tel|sms|mms|whatsapp|rcs|viber|mailto):")
# Blanks, dashes and marks. Other signs, such as a comma before an extension, end a number.
_GROUPING = frozenset(("Zs", "Zl", "Zp", "Pd", "Cc", "Mn"))
# Longer than a provider's spelling of any number.
_LONGEST_SPELLING = 256
# Two versions of the rules for international names disagree on these letters.
_DISPUTED = re.compile("[\u00df\u1e9e\u03c2]")
_NO_DIGITS = re.compile(r"[^0-9]+")
# A number's last digits are the same in all spellings, and two numbers of one country rarely share eight.
TELLING_DIGITS = 8
# Those of the shortest number.
_FEWEST_DIGITS = 7
# The digits that a masked phone number shows at each end (C-32: `+9198******10`).
_SHOWN_AHEAD, _SHOWN_BEHIND = 4, 2


def destination_problem(destination: str, channel: ChannelName) -> str | None:
    """Return why a channel cannot reach a destination; None if it can."""
    if channel == Channel.EMAIL:
        return None if _address(destination) else NOT_AN_ADDRESS
    return None if _digits(destination) else NOT_A_NUMBER


def number_problem(recipient: str) -> str | None:
    """Return why a text is not a phone number for messages; None if it is one."""
    return None if _digits(recipient) else NOT_A_NUMBER


def require_reachable(destination: str, channels: Iterable[ChannelName]) -> None:
    """Raise `ValidationFailedError` for a destination that no channel of the send accepts."""
    problems: list[str] = []
    for channel in channels:
        problem = destination_problem(destination, channel)
        if problem is None:
            return
        problems.append(problem)
    rules = ", or ".join(dict.fromkeys(problems))
    raise ValidationFailedError([FieldProblem("destination", rules)])


# The function is pure and each send calls it several times. The cache keeps the last 1024 results.
@lru_cache(maxsize=1024)
def canonical(destination: str) -> str:
    """
    Return the form under which limits count a destination, so that all spellings share one limit (C-89).

    A phone number is reduced to its digits, without the zeros before and after its country code: they
    are dialing prefixes, which networks drop (D-125). An e-mail address is put in lower case. No channel
    delivers to any other text. It has the form of the number or the address that it spells in another
    way, so that an erasure finds it (D-365); else it is only trimmed.
    """
    return _digits(destination) or _address(destination) or _repaired(destination)


# Each send checks its destination first, and then counts it.
@lru_cache(maxsize=1024)
def _digits(text: str) -> str | None:
    if len(text) > MAX_LENGTH:
        return None
    # Most numbers match without the translation.
    found = _NUMBER.fullmatch(text) or _NUMBER.fullmatch(text.translate(_DECORATION))
    return found["country"] + found["rest"] if found else None


def forget() -> None:
    """Forget the destinations that were looked at, because one of them is to be erased (D-359)."""
    canonical.cache_clear()
    _digits.cache_clear()


def _address(text: str) -> str | None:
    fits = len(text) <= MAX_LENGTH and _ADDRESS.fullmatch(text)
    return text.lower() if fits else None


def _repaired(text: str) -> str:
    """Return the form of the number or the address that a text spells for people, or the trimmed text."""
    trimmed = text.strip()
    if len(trimmed) > _LONGEST_SPELLING:
        return trimmed
    plain = _SCHEME.sub("", unicodedata.normalize("NFKC", _visible(trimmed)).strip(), count=1)
    if "@" in plain:
        return _address(_plain_address(plain)) or trimmed
    return (
        _digits("".join([_ascii_digit(each) for each in plain if not _is_grouping(each)]))
        or trimmed
    )


def _visible(text: str) -> str:
    return "".join([each for each in text if unicodedata.category(each) != "Cf"])


def _ascii_digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def _is_grouping(character: str) -> bool:
    return character == "/" or unicodedata.category(character) in _GROUPING


def _plain_address(text: str) -> str:
    """Return an address whose domain has its ASCII form; one without such a form stays as it is."""
    local, at, domain = text.rpartition("@")
    if _DISPUTED.search(domain):
        return text
    try:
        return local + at + domain.encode("idna").decode()
    except UnicodeError:
        return text


def prefixed(recipient: str, prefix: str | None) -> str:
    """
    Put the prefix of a send before a number without a country code (C-28).

    A number has a country code if it begins with `+`, `00` or the digits of the prefix (D-163).
    """
    if not prefix or recipient.lstrip(" (").startswith(("+", "00", prefix.lstrip("+0") or prefix)):
        return recipient
    return prefix + recipient


def digits_of(text: str) -> str:
    """Return the digits of a text, without what stands between them."""
    return _NO_DIGITS.sub("", text)


def shows_number(digits: str, number: str) -> bool:
    """Return whether digits contain the last eight of a number, or all of one with seven (C-100)."""
    end = digits_of(number)[-TELLING_DIGITS:]
    return len(end) >= _FEWEST_DIGITS and end in digits


def masked(destination: str) -> str:
    """Return the form for logs, metrics and callbacks, which identifies nobody (C-32); `(erased)` stays."""
    if destination == ERASED:
        return destination
    if "@" in destination:
        local, _, domain = destination.rpartition("@")
        return f"{local[:1]}{'*' * max(1, len(local) - 1)}@{domain}"
    ahead = _SHOWN_AHEAD + destination.startswith("+")
    hidden = len(destination) - ahead - _SHOWN_BEHIND
    if hidden < _SHOWN_AHEAD:
        return "*" * len(destination)
    return destination[:ahead] + "*" * hidden + destination[-_SHOWN_BEHIND:]
