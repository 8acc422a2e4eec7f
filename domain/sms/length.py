"""
The number of segments that carry a text (3GPP TS 23.040, 9.2.3.24.1), as providers count them (D-508).

A text is GSM-7 if the alphabet has all of its characters, else UCS-2. A segment of a long text gives six of
its 140 octets to a header.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from .gsm7 import ESCAPE, to_gsm7

_HIGH_SURROGATES = range(0xD8, 0xDC)


class Encoding(StrEnum):
    """The alphabet of an SMS."""

    GSM_7 = "GSM-7"
    UCS_2 = "UCS-2"


# The units of one segment: of a text that is alone in its segment, and of one that takes several.
_ROOM = {Encoding.GSM_7: (160, 153), Encoding.UCS_2: (70, 67)}


@frozen
class SmsLength:
    """
    The length of a text: its units (septets of GSM-7, 16-bit units of UCS-2) and its segments.

    `left` is the number of units for which the last segment still has room. `beyond` are the characters that
    GSM-7 does not have, each once.
    """

    encoding: Encoding
    units: int
    segments: int
    left: int
    beyond: tuple[str, ...] = ()


def length_of(text: str, *, unicode: bool = False) -> SmsLength:
    """Return the length of a text; with `unicode` it is sent in UCS-2 whatever its characters."""
    septets = to_gsm7(text)
    if septets is None or unicode:
        beyond = tuple(each for each in dict.fromkeys(text) if to_gsm7(each) is None)
        octets = text.encode("utf-16-be", "replace")
        halves = [octets[at] in _HIGH_SURROGATES for at in range(0, len(octets), 2)]
        return _length(Encoding.UCS_2, halves, beyond)
    return _length(Encoding.GSM_7, [each == ESCAPE for each in septets], ())


def _length(encoding: Encoding, begins_pair: list[bool], beyond: tuple[str, ...]) -> SmsLength:
    """Count segments; `begins_pair` says of each unit whether it must not be the last of its segment."""
    alone, together = _ROOM[encoding]
    units = len(begins_pair)
    if units <= alone:
        return SmsLength(encoding, units, 1, alone - units, beyond)
    segments, at = 1, 0
    while units - at > together:
        at += together - begins_pair[at + together - 1]
        segments += 1
    return SmsLength(encoding, units, segments, together - (units - at), beyond)
