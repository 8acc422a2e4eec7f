"""The form of a phone number on a button that dials it (SPEC 2.3, section 8)."""

from __future__ import annotations

import re

NOT_A_NUMBER = "must be a phone number of 7 to 15 digits, such as +919812345610"
_PHONE_NUMBER = re.compile(r"\+?[0-9(][0-9 ().-]*")


def phone_number_problem(text: str) -> str | None:
    """Return why a text is not a phone number; None if it is one."""
    digits = sum(character.isdigit() for character in text)
    if (
        _PHONE_NUMBER.fullmatch(text)
        and 7 <= digits <= 15
        # No country code begins with a zero.
        and not text.startswith("+0")
    ):
        return None
    return NOT_A_NUMBER
