"""Where a code or a message goes: what fits a channel, and the forms for counting and for showing (C-89)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from .channel import Channel, ChannelName
from .errors import FieldProblem, ValidationFailedError
from .phone_number import NOT_A_NUMBER

MAX_LENGTH = 64
INVALID_DESTINATION = "invalid_destination"
INVALID_RECIPIENT = "invalid_recipient"
NOT_AN_ADDRESS = "must be one e-mail address of plain letters, such as asha@example.com"

_DECORATION = str.maketrans("", "", " -.()")
# The calling codes of ITU-T E.164: none begins another one, and none begins with a zero.
_CALLING_CODE = (
    "[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9][0-9]{2}|[2-9][0-9]?"
)
_NUMBER = re.compile(
    rf"(?:\+|00|(?!00))(?=[0-9]{{7,15}}\Z)0*(?P<country>{_CALLING_CODE})0*(?P<rest>[0-9]*)"
)
# A dot-atom (RFC 5322) without the signs that once routed mail on to others, at a name with a dot (D-126).
# No encoded word begins in it (RFC 2047): who reads a header would decode a line break of its own (D-166).
_WORD = "[A-Za-z0-9#$&'*+/=?^_`{|}~-]+"
_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?!.*=\?){_WORD}(?:\.{_WORD})*@(?:{_LABEL}\.)+(?![0-9]+\Z){_LABEL}")
# Digits that stay visible at each end of a masked phone number (C-32: `+9198******10`).
_SHOWN_AHEAD, _SHOWN_BEHIND = 4, 2


def destination_problem(destination: str, channel: ChannelName) -> str | None:
    """Say what keeps a destination from being one of a channel; None where nothing does."""
    if channel == Channel.EMAIL:
        return None if _address(destination) else NOT_AN_ADDRESS
    return number_problem(destination)


def number_problem(recipient: str) -> str | None:
    """Say what keeps a text from being a number that messages go to; None where nothing does."""
    return None if _digits(recipient) else NOT_A_NUMBER


def require_reachable(destination: str, channels: Iterable[ChannelName]) -> None:
    """Raise `ValidationFailedError` for a destination that fits none of the channels of a send."""
    problems: list[str] = []
    for channel in channels:
        problem = destination_problem(destination, channel)
        if problem is None:
            return
        problems.append(problem)
    rules = ", or ".join(dict.fromkeys(problems))
    raise ValidationFailedError([FieldProblem("destination", rules)])


# Pure, and asked several times for each send; the last 1024 answers stay in memory.
@lru_cache(maxsize=1024)
def canonical(destination: str) -> str:
    """
    Return the form under which limits count a destination, so that spellings share one budget (C-89).

    A number becomes its digits, without the zeros before and behind the code of its country: there
    they are a prefix for dialing, which networks drop (D-125). An e-mail address is in lower case.
    Anything else reaches nobody, and is only trimmed.
    """
    return _digits(destination) or _address(destination) or destination.strip()


# As above: a send asks whether its destination fits, and then counts it.
@lru_cache(maxsize=1024)
def _digits(text: str) -> str | None:
    if len(text) > MAX_LENGTH:
        return None
    # Most are written so that the first look is enough.
    found = _NUMBER.fullmatch(text) or _NUMBER.fullmatch(text.translate(_DECORATION))
    return found["country"] + found["rest"] if found else None


def _address(text: str) -> str | None:
    fits = len(text) <= MAX_LENGTH and _ADDRESS.fullmatch(text)
    return text.lower() if fits else None


def prefixed(recipient: str, prefix: str | None) -> str:
    """
    Put the prefix of a send before a recipient that does not name its country yet (C-28).

    It does where it begins with `+`, with `00`, or with the digits of the prefix (D-163).
    """
    if not prefix or recipient.lstrip(" (").startswith(("+", "00", prefix.lstrip("+0") or prefix)):
        return recipient
    return prefix + recipient


def masked(destination: str) -> str:
    """Return the form for logs, metrics and callbacks, which names nobody (C-32)."""
    if "@" in destination:
        local, _, domain = destination.rpartition("@")
        return f"{local[:1]}{'*' * max(1, len(local) - 1)}@{domain}"
    ahead = _SHOWN_AHEAD + destination.startswith("+")
    hidden = len(destination) - ahead - _SHOWN_BEHIND
    if hidden < _SHOWN_AHEAD:
        return "*" * len(destination)
    return destination[:ahead] + "*" * hidden + destination[-_SHOWN_BEHIND:]
