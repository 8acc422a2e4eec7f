"""Placeholders in template texts: positions, filled in one literal pass (C-17a), and names (SPEC 2.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

# Of an RCS text: ASCII letters, digits and underscores in brackets; other brackets are text (D-81).
NAMED = re.compile(r"\[([A-Za-z0-9_]+)\]")
# Anything in double braces; a name in single ones, also as `${name}` or `{#name#}`; and one in brackets
# that begins with a small letter, as names of brands and shops begin with a capital.
_MEANT = r"\{\{[^{}]{0,64}\}\}|\$?\{#?[A-Za-z_][A-Za-z0-9_.-]*#?\}|\[[a-z][A-Za-z0-9_]*\]"
POSITION = re.compile(r"\{\{([1-9][0-9]{0,2})\}\}")


@lru_cache(maxsize=1024)
def positions(text: str, pin_placeholder: str) -> frozenset[str]:
    """Return the positions (`1` for `{{1}}`) that a text asks for; the pin placeholder is none."""
    return frozenset(found[1] for found in _token(pin_placeholder).finditer(text) if found[1])


def carries_code(text: str, pin_placeholder: str) -> bool:
    """Whether filling in this text puts the code into it."""
    return any(found[1] is None for found in _token(pin_placeholder).finditer(text))


def fill(text: str, pin_placeholder: str, code: str, params: Mapping[str, str]) -> str:
    """
    Put the code and the parameters into a text.

    What is filled in is never scanned again, so a parameter that looks like a placeholder stays as
    it is. Every position of the text must be in `params`.
    """
    return _token(pin_placeholder).sub(lambda found: params[found[1]] if found[1] else code, text)


def unfilled(text: str, pin_placeholder: str) -> tuple[str, ...]:
    """Return what looks like a placeholder in a text and is filled by nothing (D-146)."""
    parts = _token(pin_placeholder).pattern
    found = (each["meant"] for each in re.finditer(f"{parts}|(?P<meant>{_MEANT})", text))
    return tuple(dict.fromkeys(each for each in found if each and pin_placeholder not in each))


@lru_cache(maxsize=1024)
def _token(pin_placeholder: str) -> re.Pattern[str]:
    return re.compile(f"{re.escape(pin_placeholder)}|{POSITION.pattern}")


def static_length(text: str) -> int:
    """Count the characters of an RCS text that stand outside its placeholders (C-57)."""
    return len(NAMED.sub("", text))
