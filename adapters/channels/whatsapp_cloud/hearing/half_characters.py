"""
Replace halves of surrogate pairs in JSON, which no reader takes.

A phone may cut a text within a character. The JSON of one such text would make a whole post unreadable.
"""

from __future__ import annotations

import re

from ...turns import Turns

_HEX = rb"[0-9a-fA-F]{2}"
_HIGH, _LOW = rb"[89abAB]" + _HEX, rb"[c-fC-F]" + _HEX
_BEGIN = rb"\\u[dD]"
# In JSON without escaped backslashes, where every backslash begins an escape. The search is fast because
# both kinds begin alike.
_HALF = re.compile(
    rb"%b(?:%b(?!%b%b)|(?<!%b%b%b)%b)" % (_BEGIN, _HIGH, _BEGIN, _LOW, _BEGIN, _HIGH, _BEGIN, _LOW)
)
_PAIR = re.compile(_BEGIN + _HIGH + _BEGIN + _LOW)
_LENGTH = 6
_BACKSLASH = rb"\\"
# No JSON has a NUL.
_STAND_IN = b"\0\0"
# So many octets are searched in a turn of the event loop.
AT_ONCE = 65_536


async def without_halves(document: bytes, at_once: int = AT_ONCE) -> bytes:
    """Return JSON with U+FFFD in the place of each half; other tasks go on between its parts."""
    if b"\0" in document:
        # It is no JSON, and stays none.
        return document
    plain = document.replace(_BACKSLASH, _STAND_IN)
    pieces, begin, turns = [], 0, Turns()
    while begin < len(plain):
        end = _cut(plain, begin + at_once)
        pieces.append(_HALF.sub(rb"\\ufffd", plain[begin:end]))
        begin = end
        await turns.pause()
    return b"".join(pieces).replace(_STAND_IN, _BACKSLASH)


def _cut(plain: bytes, wanted: int) -> int:
    """Return the first place from `wanted` on that parts neither an escape nor a pair."""
    at = plain.find(b"\\", wanted)
    if at < 0:
        return len(plain)
    return at + _LENGTH if _PAIR.match(plain, max(at - _LENGTH, 0)) else at
