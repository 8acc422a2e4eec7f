"""
Messages of people: the text in a delivery, which may be a piece of a longer one.

`piece_in(delivery)` reads a delivery that is no receipt, and `message_in(pieces, encoding)` makes the message
of one piece or of several, in order. A phone chooses these octets, so none of them is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import field, frozen

from ....application.ports.channels import InboundMessage
from ....domain.limits import UNSTORABLE
from .addresses import number_in
from .bodies import LONGEST_SHORT_MESSAGE, DeliverSm
from .encodings import decoded
from .segmenting import UDHI
from .tlvs import Tag

# Elements of a header that say which piece this is, by their kind (3GPP TS 23.040, 9.2.3.24): the octets of
# the reference. The number of pieces and that of this one follow it, with an octet each.
_REFERENCES = {0x00: 1, 0x08: 2}
_SAR = (Tag.SAR_MSG_REF_NUM, Tag.SAR_TOTAL_SEGMENTS, Tag.SAR_SEGMENT_SEQNUM)
# Stands for pieces that never came.
GAP = "[\u2026]"


@frozen(kw_only=True)
class Piece:
    """
    A text, or the piece of it that has this number among so many.

    `reference` is what pieces of one text have in common, beside their addresses.
    """

    sender: str = field(repr=False)
    recipient: str
    data_coding: int
    octets: bytes = field(repr=False)
    reference: bytes = b""
    total: int = 1
    number: int = 1


def piece_in(delivery: DeliverSm) -> Piece:
    """Return the text of a delivery, and which piece of a longer one it says to be."""
    octets = delivery.short_message or delivery.tlvs.get(Tag.MESSAGE_PAYLOAD, b"")
    header, text = _split(octets) if delivery.esm_class & UDHI else (b"", octets)
    reference, total, number = _place_in_header(header) or _place_in_parameters(delivery)
    if len(text) > LONGEST_SHORT_MESSAGE:
        # It is no piece: hundreds of such would be read at once, for longer than the event loop may be held.
        reference, total, number = b"", 1, 1
    return Piece(
        sender=_shown(number_in(delivery.source)),
        recipient=_shown(number_in(delivery.destination)),
        data_coding=delivery.data_coding,
        octets=text,
        reference=reference,
        total=total,
        number=number,
    )


def message_in(pieces: Sequence[Piece], encoding: str) -> InboundMessage:
    """Return the message of pieces in order; a gap stands for each run of missing ones."""
    text = "".join(_texts(pieces, encoding))
    return InboundMessage(
        sender=pieces[0].sender,
        recipient=pieces[0].recipient,
        text=UNSTORABLE.sub("\ufffd", text),
    )


def _texts(pieces: Sequence[Piece], encoding: str) -> Iterator[str]:
    end = 0
    # The numbers of pieces in a row grow as their places do.
    for _, numbered in groupby(
        enumerate(pieces), lambda at: (at[1].number - at[0], at[1].data_coding)
    ):
        run = [piece for _, piece in numbered]
        if run[0].number > end + 1:
            yield GAP
        # Octets are joined before they are read, since a phone may cut a text within a character.
        octets = b"".join(piece.octets for piece in run)
        yield decoded(octets, run[0].data_coding, encoding)
        end = run[-1].number
    if end < pieces[-1].total:
        yield GAP


def _split(octets: bytes) -> tuple[bytes, bytes]:
    """Return header and text; octets that are too short for their header are all text."""
    end = octets[0] + 1 if octets else 0
    return (octets[1:end], octets[end:]) if end <= len(octets) else (b"", octets)


def _place_in_header(header: bytes) -> tuple[bytes, int, int] | None:
    at = 0
    while at + 2 <= len(header):
        kind, length = header[at], header[at + 1]
        element = header[at + 2 : at + 2 + length]
        at += 2 + length
        if _REFERENCES.get(kind) == length - 2 == len(element) - 2:
            total, number = element[-2:]
            if 1 <= number <= total:
                # The kind is part of it: a short reference is none of a long one.
                return bytes((kind,)) + element[:-2], total, number
    return None


def _place_in_parameters(delivery: DeliverSm) -> tuple[bytes, int, int]:
    reference, total, number = (delivery.tlvs.get(tag, b"") for tag in _SAR)
    if len(total) == len(number) == 1 and 1 <= number[0] <= total[0]:
        return b"sar" + reference, total[0], number[0]
    return b"", 1, 1


def _shown(address: str) -> str:
    return "".join(each if each.isprintable() else "\ufffd" for each in address)
