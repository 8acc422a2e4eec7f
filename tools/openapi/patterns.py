"""Regular expressions, readable by other languages, for texts that the code checks in steps."""

from __future__ import annotations

from collections.abc import Iterable

from watchword.domain import naming

_CONTROLS = r"\u0000-\u001f\u007f-\u009f"
_TURNING = r"\u2028-\u202e\u2066-\u2069"
ONE_LINE = rf"^[^{_CONTROLS}\u2028\u2029]*$"
_AT_AN_END = rf"[^\s{_CONTROLS}{_TURNING}]"
NAME = rf"^{_AT_AN_END}([^{_CONTROLS}{_TURNING}]{{0,{naming.MAX_LENGTH - 2}}}{_AT_AN_END})?$"
PHONE_NUMBER = r"^[ ().-]*(\+|0[ ().-]*0)?([ ().-]*[0-9]){7,15}[ ().-]*$"
_LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
HOST = rf"^({_LABEL}\.)*(?![0-9]+$){_LABEL}$"
# Subtags of a language tag; their order is that of RFC 5646, section 2.1.
LANGUAGE_TAG = "^[A-Za-z0-9]{1,8}([-_][A-Za-z0-9]{1,8})*$"
_ATOM = r"[A-Za-z0-9#$&'*+/=?^_`{|}~-]+"
EMAIL_ADDRESS = (
    rf"^{_ATOM}([.]{_ATOM})*@([A-Za-z0-9-]{{1,63}}[.])+[A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*$"
)


def whole(pattern: str) -> str:
    """Return a pattern that matches whole texts only, for a pattern of `re.fullmatch`."""
    return f"^{pattern}$" if "|" not in pattern or pattern.startswith("(") else f"^({pattern})$"


def any_case(words: Iterable[str]) -> str:
    """Return the pattern of a few words in any case."""
    return "^(" + "|".join("".join(map(_either_case, word)) for word in words) + ")$"


def _either_case(letter: str) -> str:
    return f"[{letter.upper()}{letter.lower()}]" if letter.isalpha() else letter


def digits_up_to(most: int) -> str:
    """Return the pattern of the digits of 1 to `most`, with or without leading zeros."""
    digits = str(most)
    shorter = [f"[1-9][0-9]{{0,{len(digits) - 2}}}"] if len(digits) > 1 else []
    alike = [_smaller_from(digits, at) for at in range(len(digits))]
    return "^0*(" + "|".join([*shorter, *filter(None, alike), digits]) + ")$"


def _smaller_from(digits: str, at: int) -> str | None:
    """Return the pattern of numbers that begin like `digits` and have a smaller digit at `at`."""
    least = 1 if at == 0 else 0
    largest = int(digits[at]) - 1
    if largest < least:
        return None
    behind = len(digits) - at - 1
    rest = f"[0-9]{{{behind}}}" if behind else ""
    among = str(least) if least == largest else f"[{least}-{largest}]"
    return f"{digits[:at]}{among}{rest}"
