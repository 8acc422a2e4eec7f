"""
Rules for the texts of a template (SPEC section 8, C-57).

A character is a Unicode code point of the text as it came: nothing is normalised, a placeholder
counts as it is written, blanks and the parts of an emoji count too (D-81).
"""

from __future__ import annotations

from ..placeholders import static_length
from .findings import Findings

MAX_TEXT_MESSAGE = 2_500
MAX_CARD_TITLE = 200
MAX_CARD_DESCRIPTION = 2_000
MAX_DISPLAY_TEXT = 25
MAX_POSTBACK = 120
MIN_STATIC_PERCENT = 70


def check_text(findings: Findings, path: str, text: str, most: int | None = None) -> None:
    """Note a text that says nothing, or that has more than `most` characters."""
    if not text.strip():
        findings.note(path, "must not be empty")
    elif most is not None and len(text) > most:
        findings.note(
            path,
            f"must have at most {most} characters, placeholders as they are written;"
            f" it has {len(text)}",
        )


def check_static_text(findings: Findings, path: str, *texts: str) -> None:
    """Note texts of which placeholders are too large a part, all taken together."""
    written = sum(map(len, texts))
    static = sum(map(static_length, texts))
    # Whole numbers, so that exactly 70 % is enough.
    if static * 100 < written * MIN_STATIC_PERCENT:
        findings.note(
            path,
            f"must be static text by at least {MIN_STATIC_PERCENT} %: {static} of {written}"
            " characters stand outside placeholders. Say more, or shorten names in brackets.",
        )
