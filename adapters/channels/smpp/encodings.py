"""
The alphabets of SMPP texts (SMPP 3.4, 5.2.19).

`alphabet_for(text, encoding)` returns the alphabet in which a text is sent, and its octets in it.
`decoded(octets, data_coding, encoding)` reads a text in any data coding, and never raises.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ....domain.sms.gsm7 import ESCAPE, from_gsm7, to_gsm7
from .settings import GSM7, LATIN1, UCS2

# An SMS has 140 octets of user data, whatever its alphabet (3GPP TS 23.040, 9.2.3.24).
_USER_DATA = 140
# The first octet of the first half of a surrogate pair, in UTF-16BE.
_HIGH_SURROGATES = range(0xD8, 0xDC)


class Alphabet(ABC):
    """An alphabet of texts that we send: GSM 7-bit (data coding 0), Latin-1 (3) or UCS-2 (8)."""

    data_coding: int
    # The octets of one piece of a text; a cut is made behind a whole one.
    unit = 1

    @abstractmethod
    def encode(self, text: str) -> bytes | None:
        """Return a text in this alphabet; None if it does not fit."""

    def room(self, header: int) -> int:
        """Return the octets of text in one SMS, behind a header of so many octets."""
        return (_USER_DATA - header) // self.unit * self.unit

    def splits(self, octets: bytes, at: int) -> bool:
        """Return whether a cut before the octet `at` parts two that are one character."""
        return False


class _Gsm7Bit(Alphabet):
    data_coding = 0x00

    def encode(self, text: str) -> bytes | None:
        return to_gsm7(text)

    def room(self, header: int) -> int:
        # SMPP has one septet in an octet, and the SMSC packs eight of them into seven octets. So an SMS
        # has room for 160 on its own, for 153 behind 6 octets, and for 152 behind 7.
        return (_USER_DATA - header) * 8 // 7

    def splits(self, octets: bytes, at: int) -> bool:
        # An escape is never the second of a pair.
        return octets[at - 1] == ESCAPE


class _Latin1(Alphabet):
    data_coding = 0x03

    def encode(self, text: str) -> bytes | None:
        try:
            return text.encode("latin-1")
        except UnicodeEncodeError:
            return None


class _Ucs2(Alphabet):
    """UTF-16BE, since phones read surrogate pairs in what SMPP calls UCS-2; every text fits."""

    data_coding = 0x08
    unit = 2

    def encode(self, text: str) -> bytes:
        # Half of a pair is no character, and becomes a question mark.
        return text.encode("utf-16-be", "replace")

    def splits(self, octets: bytes, at: int) -> bool:
        return octets[at - 2] in _HIGH_SURROGATES


_UCS2 = _Ucs2()
_ALPHABETS = {GSM7: _Gsm7Bit(), LATIN1: _Latin1(), UCS2: _UCS2}


def alphabet_for(text: str, encoding: str, *, unicode: bool = False) -> tuple[Alphabet, bytes]:
    """
    Return the alphabet that `encoding` names and the text in it; UCS-2 if the text does not fit.

    `unicode` says that the caller wants UCS-2.
    """
    chosen = _ALPHABETS[encoding]
    octets = None if unicode else chosen.encode(text)
    return (_UCS2, _UCS2.encode(text)) if octets is None else (chosen, octets)


# The data codings of SMPP that are texts. Octets of the others, such as the binary 2 and 4, are kept one by
# one as Latin-1.
_CODECS = {
    0x01: "ascii",
    0x05: "iso2022_jp",
    0x06: "iso8859-5",
    0x07: "iso8859-8",
    0x08: "utf-16-be",
    0x0A: "iso2022_jp",
    0x0E: "euc_kr",
}
_OCTETS = "latin-1"


def decoded(octets: bytes, data_coding: int, encoding: str) -> str:
    """Return the text in octets; those that are nothing in their data coding become U+FFFD."""
    codec = _codec(data_coding, encoding)
    return from_gsm7(octets) if codec is None else octets.decode(codec, "replace")


def _codec(data_coding: int, encoding: str) -> str | None:
    """
    Return the codec of a data coding; None stands for GSM 7-bit.

    From 0x10 on they are those of phones, which some SMSCs pass on (3GPP TS 23.038, section 4).
    """
    # `ucs2` says how texts are sent, and nothing about the SMSC's own alphabet.
    default = _OCTETS if encoding == LATIN1 else None
    match data_coding >> 4:
        case 0x0:
            return default if data_coding == 0 else _CODECS.get(data_coding, _OCTETS)
        case 0x1 | 0x4 | 0x5:
            return (default, _OCTETS, "utf-16-be", _OCTETS)[data_coding >> 2 & 0b11]
        case 0xC | 0xD:
            return default
        case 0xE:
            return "utf-16-be"
        case 0xF:
            return _OCTETS if data_coding & 0b100 else default
        case _:
            # Compressed texts, and groups that are reserved.
            return _OCTETS
