"""Placeholders in template texts: positions, filled in one pass (C-17a), and names (SPEC 2.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

# In RCS texts: ASCII letters, digits and underscores in brackets. Other brackets are plain text (D-81).
NAMED = re.compile(r"\[([A-Za-z0-9_]+)\]")
# Any text in double braces; a name in single braces, also as `${name}` or `{#name#}`; a name in
# brackets that begins with a small letter. Names of brands and shops begin with a capital.
_MEANT = r"\{\{[^{}]{0,64}\}\}|\$?\{#?[A-Za-z_][A-Za-z0-9_.-]*#?\}|\[[a-z][A-Za-z0-9_]*\]"
POSITION = re.compile(r"\{\{([1-9][0-9]{0,2})\}\}")


@lru_cache(maxsize=1024)
def positions(text: str, pin_placeholder: str) -> frozenset[str]:
    """
    Return the positions (`1` for `{{1}}`) in a template's text; the pin placeholder is none.

    The result is cached, so no text of a person may be asked for.
    """
    return frozenset(found[1] for found in _token(pin_placeholder).finditer(text) if found[1])


def carries_code(text: str, pin_placeholder: str) -> bool:
    """Return whether a text contains the code once it is filled in."""
    return any(found[1] is None for found in _token(pin_placeholder).finditer(text))


def fill(text: str, pin_placeholder: str, code: str, params: Mapping[str, str]) -> str:
    """
    Put the code and the parameters into a text.

    Filled-in values are never scanned again, so a parameter that looks like a placeholder stays as it
    is. `params` must have every position of the text.
    """
    return _token(pin_placeholder).sub(lambda found: params[found[1]] if found[1] else code, text)


def unfilled(text: str, pin_placeholder: str) -> tuple[str, ...]:
    """Return the parts of a text that look like placeholders but are not filled in (D-146)."""
    parts = _token(pin_placeholder).pattern
    found = (each["meant"] for each in re.finditer(f"{parts}|(?P<meant>{_MEANT})", text))
    return tuple(dict.fromkeys(each for each in found if each and pin_placeholder not in each))


@lru_cache(maxsize=1024)
def _token(pin_placeholder: str) -> re.Pattern[str]:
    return re.compile(f"{re.escape(pin_placeholder)}|{POSITION.pattern}")


def static_length(text: str) -> int:
    """Count the characters of an RCS text outside its placeholders (C-57)."""
    return len(NAMED.sub("", text))
