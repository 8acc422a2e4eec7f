"""
The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1), one septet an octet.

`to_gsm7(text)` returns the octets, or None for a text that the alphabet has not; `from_gsm7(octets)` reads
anything. Over SMPP the septets are not packed: the SMSC packs them for the radio.
"""

from __future__ import annotations

from codecs import charmap_decode

ESCAPE = 0x1B
# The escape's own place holds no character.
_BASIC = (
    "@\u00a3$\u00a5\u00e8\u00e9\u00f9\u00ec\u00f2\u00c7\n\u00d8\u00f8\r\u00c5\u00e5"
    "\u0394_\u03a6\u0393\u039b\u03a9\u03a0\u03a8\u03a3\u0398\u039e\x1b\u00c6\u00e6\u00df\u00c9"
    " !\"#\u00a4%&'()*+,-./0123456789:;<=>?"
    "\u00a1ABCDEFGHIJKLMNOPQRSTUVWXYZ\u00c4\u00d6\u00d1\u00dc\u00a7"
    "\u00bfabcdefghijklmnopqrstuvwxyz\u00e4\u00f6\u00f1\u00fc\u00e0"
)
_EXTENSION = {
    0x0A: "\f",
    0x14: "^",
    0x28: "{",
    0x29: "}",
    0x2F: "\\",
    0x3C: "[",
    0x3D: "~",
    0x3E: "]",
    0x40: "|",
    0x65: "\u20ac",
}
_OCTETS = {
    **{each: bytes((at,)) for at, each in enumerate(_BASIC) if at != ESCAPE},
    **{each: bytes((ESCAPE, at)) for at, each in _EXTENSION.items()},
}
_ESCAPE = chr(ESCAPE)
# Two escapes, and each pair by the character that its code has in the basic table.
_PAIRS = {
    _ESCAPE * 2: " ",
    **{_ESCAPE + _BASIC[at]: each for at, each in _EXTENSION.items()},
}


def to_gsm7(text: str) -> bytes | None:
    """Return a text in this alphabet; None if it has a character that the alphabet has not."""
    try:
        return b"".join(map(_OCTETS.__getitem__, text))
    except KeyError:
        return None


def from_gsm7(octets: bytes) -> str:
    """
    Return the text in octets of this alphabet.

    An escaped code without a character stands for that of the basic table, and a lone escape for a
    blank, as the standard tells phones. An octet of eight bits is none of this alphabet: U+FFFD.
    """
    text, _ = charmap_decode(octets, "replace", _BASIC)
    if _ESCAPE not in text:
        return text
    # A loop over its characters would hold up the event loop when a hostile text is long.
    for pair, character in _PAIRS.items():
        text = text.replace(pair, character)
    if text.endswith(_ESCAPE):
        text = text[:-1] + " "
    return text.replace(_ESCAPE, "")
