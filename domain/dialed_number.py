"""Check the phone number that a template's button dials (SPEC 2.3, section 8)."""

from __future__ import annotations

import re

from .destination import NOT_A_NUMBER

_DIALED_NUMBER = re.compile(r"\+?[0-9(][0-9 ().-]*")


def dialed_number_problem(text: str) -> str | None:
    """Return why a button cannot dial a text; None if it can."""
    digits = sum(character.isdigit() for character in text)
    if (
        _DIALED_NUMBER.fullmatch(text)
        and 7 <= digits <= 15
        # No country code begins with a zero.
        and not text.startswith("+0")
    ):
        return None
    return NOT_A_NUMBER
