"""The error codes of providers: plain names, which histories show to everybody (C-100)."""

from __future__ import annotations

import re

from .destination import digits_of, shows_number

PROVIDER_REJECTED = "provider_rejected"
_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SEPARATORS = re.compile(r"[._-]+")


def code_about(code: str, destination: str) -> str:
    """
    Return a provider's error code about a message for a destination.

    `provider_rejected` stands for a code that is no plain name, or that holds the number or the local
    part of the address (D-332).
    """
    if not _PLAIN.fullmatch(code) or _holds(code, destination):
        return PROVIDER_REJECTED
    return code


def _holds(code: str, destination: str) -> bool:
    if "@" in destination:
        local = destination.rpartition("@")[0].lower()
        own = _SEPARATORS.sub(" ", local)
        return f" {own} " in f" {_SEPARATORS.sub(' ', code.lower())} "
    return shows_number(digits_of(code), destination)
