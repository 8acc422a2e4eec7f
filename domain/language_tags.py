"""
Language tags: their form by RFC 5646, and their look-up by RFC 4647, section 3.4 (C-86).

`_` reads as `-`, as many platforms write it. A tag only has to be well-formed: no registry of languages is
asked (D-521).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# RFC 5646 sets no limit, and asks for 35 characters at least (section 4.4.1).
MAX_LENGTH = 100
NOT_A_TAG = "must be a language tag such as pt-BR (BCP 47)"
# Section 2.1, in its order. The tags of `_IRREGULAR` were registered before there was a grammar.
_LANGUAGE = r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})"
_SCRIPT, _REGION = r"(?:-[a-z]{4})?", r"(?:-(?:[a-z]{2}|[0-9]{3}))?"
_VARIANTS = r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"
_EXTENSIONS = r"(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*"
_PRIVATE = r"x(?:-[a-z0-9]{1,8})+"
_IRREGULAR = (
    "en-gb-oed|i-ami|i-bnn|i-default|i-enochian|i-hak|i-klingon|i-lux|i-mingo|i-navajo|i-pwn|i-tao"
    "|i-tay|i-tsu|sgn-be-fr|sgn-be-nl|sgn-ch-de"
)
_TAG = re.compile(
    rf"{_LANGUAGE}{_SCRIPT}{_REGION}{_VARIANTS}{_EXTENSIONS}(?:-{_PRIVATE})?|{_PRIVATE}|{_IRREGULAR}",
    re.IGNORECASE | re.ASCII,
)


def read_tag(written: str) -> str:
    """Return a tag with the separators of RFC 5646, in the case in which it was written."""
    return written.replace("_", "-")


def is_tag(written: str) -> bool:
    """Return whether a text is a well-formed tag (RFC 5646, section 2.2.9)."""
    return len(written) <= MAX_LENGTH and _TAG.fullmatch(read_tag(written)) is not None


def a_language_tag(_instance: object, _attribute: object, written: Any) -> None:
    """Check that a text is a well-formed tag; an attrs validator. None passes."""
    if written is not None and not is_tag(written):
        raise ValueError(NOT_A_TAG)


def same_language(one: str | None, other: str | None) -> bool:
    """Return whether two tags are the same in any case and with either separator; empty is none."""
    return _folded(one) == _folded(other)


def look_up(locale: str, tags: Sequence[str | None]) -> int | None:
    """
    Return the place of the tag that is best for a locale; None if no tag matches (RFC 4647, 3.4).

    The locale is shortened from its end until a tag is equal to it. A subtag of one character goes
    together with the one behind it, because it means nothing alone.
    """
    known = [_folded(each) for each in tags]
    subtags = _folded(locale).split("-")
    while subtags:
        wanted = "-".join(subtags)
        if wanted in known:
            return known.index(wanted)
        subtags.pop()
        if subtags and len(subtags[-1]) == 1:
            subtags.pop()
    return None


def _folded(written: str | None) -> str:
    return read_tag(written or "").lower()
