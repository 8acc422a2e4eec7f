"""Reads the header `Prefer` (RFC 7240) for strict handling (C-93, D-150)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_WORD = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_VALUE = rf'(?:{_WORD}|"(?:[^"\\]|\\.)*")'
# Each blank matches in one place only, so that a line of blanks causes no backtracking.
_PREFERENCE = re.compile(
    rf"[ \t,]*(?P<name>{_WORD})[ \t]*(?:=[ \t]*(?:(?P<value>{_VALUE})[ \t]*)?)?"
    rf"(?:;[ \t]*(?:{_WORD}[ \t]*(?:=[ \t]*(?:{_VALUE}[ \t]*)?)?)?)*(?:,|$)"
)
_QUOTED_PAIR = re.compile(r"\\(.)")


def prefer_strict(lines: Iterable[str]) -> bool:
    """Return whether the header prefers strict handling; of repeated preferences, the first counts."""
    for name, value in _preferences(",".join(lines)):
        if name == "handling":
            return value == "strict"
    return False


def _preferences(line: str) -> Iterator[tuple[str, str]]:
    """Yield each preference and its value in lower case, up to the first malformed one."""
    at = 0
    while found := _PREFERENCE.match(line, at):
        value = found["value"] or ""
        if value.startswith('"'):
            value = _QUOTED_PAIR.sub(r"\1", value[1:-1])
        yield found["name"].lower(), value.lower()
        at = found.end()
