"""Rules for the texts of a template (SPEC section 8, C-57); characters count as in `findings.py` (D-81)."""

from __future__ import annotations

from ..findings import Findings
from ..placeholders import static_length

MAX_TEXT_MESSAGE = 2_500
MAX_CARD_TITLE = 200
MAX_CARD_DESCRIPTION = 2_000
MAX_DISPLAY_TEXT = 25
MAX_POSTBACK = 120
# SPEC 2.3 has no limit for the texts of a place, a query and an event; stored texts need one.
MAX_BUTTON_TEXT = 2_000
MIN_STATIC_PERCENT = 70


def check_static_text(findings: Findings, path: str, *texts: str) -> None:
    """Note texts in which placeholders make up too much, all texts counted together."""
    written = sum(map(len, texts))
    static = sum(map(static_length, texts))
    # In integers, so that exactly 70 % passes.
    if static * 100 < written * MIN_STATIC_PERCENT:
        findings.note(
            path,
            f"must be static text by at least {MIN_STATIC_PERCENT} %: {static} of {written}"
            " characters stand outside placeholders. Say more, or shorten names in brackets.",
        )
