"""The error codes of providers: plain names, which histories show to everybody (C-100, D-52)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .destination import digits_of, shows_number

PROVIDER_REJECTED = "provider_rejected"
_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,64}")
_SEPARATORS = re.compile(r"[._-]+")


def plain_code(code: str) -> str:
    """Return a code that is a plain name; any other becomes `provider_rejected`."""
    return code if _PLAIN.fullmatch(code) else PROVIDER_REJECTED


def code_about(code: str, destination: str) -> str:
    """
    Return a provider's error code about a message for a destination.

    `provider_rejected` stands for a code that is no plain name, or that holds the number or the local
    part of the address (D-332).
    """
    return PROVIDER_REJECTED if _holds(code, destination) else plain_code(code)


def code_without(code: str, texts: Iterable[str], parts: re.Pattern[str]) -> str:
    """
    Return a provider's error code about texts that it must not repeat.

    `provider_rejected` stands for a code that is no plain name, or that has one of the `parts` of a text,
    in upper or lower case (D-52).
    """
    own = {part for text in texts for part in parts.findall(text.casefold())}
    return (
        PROVIDER_REJECTED if own.intersection(parts.findall(code.casefold())) else plain_code(code)
    )


def _holds(code: str, destination: str) -> bool:
    if "@" in destination:
        local = destination.rpartition("@")[0].lower()
        own = _SEPARATORS.sub(" ", local)
        return f" {own} " in f" {_SEPARATORS.sub(' ', code.lower())} "
    return shows_number(digits_of(code), destination)
