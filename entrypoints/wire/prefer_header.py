"""The header `Prefer` (RFC 7240): whether it prefers strict handling (C-93, D-150)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_WORD = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_VALUE = rf'(?:{_WORD}|"(?:[^"\\]|\\.)*")'
# Blanks stand behind what they follow, so that a line of nothing else is read in one way alone.
_PREFERENCE = re.compile(
    rf"[ \t,]*(?P<name>{_WORD})[ \t]*(?:=[ \t]*(?:(?P<value>{_VALUE})[ \t]*)?)?"
    rf"(?:;[ \t]*(?:{_WORD}[ \t]*(?:=[ \t]*(?:{_VALUE}[ \t]*)?)?)?)*(?:,|$)"
)
_QUOTED_PAIR = re.compile(r"\\(.)")


def prefer_strict(lines: Iterable[str]) -> bool:
    """Say whether the lines of the header prefer strict handling: of a preference, the first counts."""
    for name, value in _preferences(",".join(lines)):
        if name == "handling":
            return value == "strict"
    return False


def _preferences(line: str) -> Iterator[tuple[str, str]]:
    """Yield each preference with its value in lower case, up to the first that is malformed."""
    at = 0
    while found := _PREFERENCE.match(line, at):
        value = found["value"] or ""
        if value.startswith('"'):
            value = _QUOTED_PAIR.sub(r"\1", value[1:-1])
        yield found["name"].lower(), value.lower()
        at = found.end()
