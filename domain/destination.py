"""Where a code goes: an opaque text, its canonical form for counting, its masked form for showing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

MAX_LENGTH = 64
_PLAIN_PHONE = re.compile(r"\+?([0-9]+)")
_PHONE = re.compile(r"[+\d\s().\-/\u2010-\u2015\u2212]+")
# Digits that stay visible at each end of a masked phone number (C-32: `+9198******10`).
_SHOWN_AHEAD, _SHOWN_BEHIND = 4, 2


# Pure, and asked several times for each send; the last 1024 stay in memory.
@lru_cache(maxsize=1024)
def canonical(destination: str) -> str:
    """
    Give the form under which limits count a destination, so that spellings share one budget (C-28).

    A phone number becomes its ASCII digits (a leading `00` counts as `+`), an e-mail address keeps
    its local part and gets its domain in lower case; anything else is only trimmed.
    """
    # Most are written so; the way below gives the same, slower.
    if found := _PLAIN_PHONE.fullmatch(destination):
        return found[1].removeprefix("00")
    if destination.isascii() and destination.isprintable():
        text = destination.strip()
    else:
        # What nobody sees, a provider may drop: it must not make a second budget.
        seen = (c for c in destination if unicodedata.category(c) not in ("Cf", "Cc"))
        text = "".join(seen).strip()
    plain = unicodedata.normalize("NFKC", text)
    if "@" in text:
        local, _, domain = text.rpartition("@")
        return f"{local}@{domain.lower()}"
    if _PHONE.fullmatch(plain) and any(character.isdigit() for character in plain):
        digits = "".join(str(unicodedata.digit(c)) for c in plain if c.isdigit())
        return digits.removeprefix("00")
    return text


def prefixed(recipient: str, prefix: str | None) -> str:
    """Put the prefix of a send before a recipient that begins with neither `+` nor it (C-28)."""
    if not prefix or recipient.startswith(("+", prefix)):
        return recipient
    return prefix + recipient


def masked(destination: str) -> str:
    """Give the form for logs, metrics and callbacks, which names nobody (C-32)."""
    if "@" in destination:
        local, _, domain = destination.rpartition("@")
        return f"{local[:1]}{'*' * max(1, len(local) - 1)}@{domain}"
    ahead = _SHOWN_AHEAD + destination.startswith("+")
    hidden = len(destination) - ahead - _SHOWN_BEHIND
    if hidden < _SHOWN_AHEAD:
        return "*" * len(destination)
    return destination[:ahead] + "*" * hidden + destination[-_SHOWN_BEHIND:]
