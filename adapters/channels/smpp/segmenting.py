"""
Cut a text into the SMS that carry it (3GPP TS 23.040, 9.2.3.24.1).

`parts_of(text, ...)` returns a `Part` for each `submit_sm`, or raises `TooManyPartsError`. A cut never
splits an escape or surrogate pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import field, frozen

from .encodings import Alphabet, alphabet_for
from .settings import PAYLOAD, SAR, UDH16
from .tlvs import Tag

# Parts are counted in one octet.
MAX_PARTS = 255
# The bit of `esm_class` that says that a header stands before the text (SMPP 3.4, 5.2.12).
UDHI = 0x40
# Headers of parts: their length, the kind of their one element, and its length.
_HEAD_8, _HEAD_16 = b"\x05\x00\x03", b"\x06\x08\x04"
_HEADER_8, _HEADER_16 = 6, 7


class TooManyPartsError(ValueError):
    """A text is too long for the parts that one message can have."""


@frozen(kw_only=True)
class Part:
    """The fields of a `submit_sm` that carry a part of a text."""

    data_coding: int
    esm_class: int = 0
    short_message: bytes = field(default=b"", repr=False)
    tlvs: Mapping[int, bytes] = field(factory=dict, repr=False)


def parts_of(
    text: str, encoding: str, long_messages: str, reference: int, *, unicode: bool = False
) -> Sequence[Part]:
    """
    Return the parts of a text.

    `reference` tells a phone which parts belong together, so texts for one recipient need different
    ones; its low 16 bits count with `udh16`, and its low 8 bits otherwise.
    """
    alphabet, octets = alphabet_for(text, encoding, unicode=unicode)
    coding = alphabet.data_coding
    if len(octets) <= alphabet.room(0):
        return [Part(data_coding=coding, short_message=octets)]
    # The SMSC makes a header from the other forms; with a reference of 8 bits it can take the short one.
    header = _HEADER_16 if long_messages == UDH16 else _HEADER_8
    pieces = list(_pieces(octets, alphabet, alphabet.room(header)))
    if len(pieces) > MAX_PARTS:
        raise TooManyPartsError
    if long_messages == PAYLOAD:
        return [Part(data_coding=coding, tlvs={Tag.MESSAGE_PAYLOAD: octets})]
    total, numbered = len(pieces), enumerate(pieces, 1)
    if long_messages == SAR:
        return [
            Part(data_coding=coding, short_message=piece, tlvs=_sar(reference, total, number))
            for number, piece in numbered
        ]
    head = _head(long_messages, reference)
    return [
        Part(
            data_coding=coding, esm_class=UDHI, short_message=head + bytes((total, number)) + piece
        )
        for number, piece in numbered
    ]


def _pieces(octets: bytes, alphabet: Alphabet, room: int) -> Iterator[bytes]:
    at = 0
    while len(octets) - at > room:
        end = at + room
        if alphabet.splits(octets, end):
            end -= alphabet.unit
        yield octets[at:end]
        at = end
    yield octets[at:]


def _head(long_messages: str, reference: int) -> bytes:
    if long_messages == UDH16:
        return _HEAD_16 + (reference & 0xFFFF).to_bytes(2, "big")
    return _HEAD_8 + (reference & 0xFF).to_bytes(1, "big")


def _sar(reference: int, total: int, number: int) -> Mapping[int, bytes]:
    return {
        Tag.SAR_MSG_REF_NUM: (reference & 0xFF).to_bytes(2, "big"),
        Tag.SAR_TOTAL_SEGMENTS: bytes((total,)),
        Tag.SAR_SEGMENT_SEQNUM: bytes((number,)),
    }
