"""Messages of people, whole and in pieces."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.smpp.bodies import Address, DeliverSm
from watchword.adapters.channels.smpp.inbound import message_in, piece_in
from watchword.adapters.channels.smpp.settings import GSM7
from watchword.adapters.channels.smpp.tlvs import Tag
from watchword.application.ports.channels import InboundMessage

_UDHI = 0x40


def _delivery(octets: bytes = b"", **fields: Any) -> DeliverSm:
    return DeliverSm(
        source=Address(1, 1, "447700900001"),
        destination=Address(3, 0, "57575"),
        short_message=octets,
        **fields,
    )


def test_a_message_has_its_sender_recipient_and_text() -> None:
    """A number of international type has a plus, and the text is read by its data coding."""
    piece = piece_in(_delivery("Да".encode("utf-16-be"), data_coding=8))

    assert InboundMessage(sender="+447700900001", recipient="57575", text="Да") == message_in(
        [piece], GSM7
    )


def test_a_text_in_message_payload_is_read() -> None:
    """An SMSC may put the text into a parameter, and leave the short message empty."""
    piece = piece_in(_delivery(tlvs={Tag.MESSAGE_PAYLOAD: b"hello"}))

    assert "hello" == message_in([piece], GSM7).text


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"esm_class": _UDHI, "octets": b"\x05\x00\x03\x07\x03\x02abc"}, (3, 2)),
        ({"esm_class": _UDHI, "octets": b"\x06\x08\x04\x01\x07\x03\x02abc"}, (3, 2)),
        # Another element, here a port, may stand before that of the piece.
        ({"esm_class": _UDHI, "octets": b"\x0b\x05\x04\0\0\0\0\x00\x03\x07\x03\x02abc"}, (3, 2)),
        (
            {
                "octets": b"abc",
                "tlvs": {
                    Tag.SAR_MSG_REF_NUM: b"\0\x07",
                    Tag.SAR_TOTAL_SEGMENTS: b"\x03",
                    Tag.SAR_SEGMENT_SEQNUM: b"\x02",
                },
            },
            (3, 2),
        ),
        # Numbers that cannot be right: the text stands alone.
        ({"esm_class": _UDHI, "octets": b"\x05\x00\x03\x07\x03\x04abc"}, (1, 1)),
        ({"esm_class": _UDHI, "octets": b"\x05\x00\x03\x07\x00\x00abc"}, (1, 1)),
        ({"esm_class": _UDHI, "octets": b"\x05\x00\x04\x07\x03\x02abc"}, (1, 1)),
        ({"esm_class": _UDHI, "octets": b"\x04\x24\x01\x0d\x00abc"}, (1, 1)),
    ],
)
def test_a_piece_says_its_place(fields: dict[str, Any], place: tuple[int, int]) -> None:
    """The header or the parameters of a piece have its number and that of all; the header is no text."""
    piece = piece_in(_delivery(**fields))

    assert place == (piece.total, piece.number)
    assert b"abc" == piece.octets


def test_references_of_different_forms_are_different() -> None:
    """Reference 7 of a short header is neither that of a long one nor that of the parameters."""
    short = piece_in(_delivery(b"\x05\x00\x03\x07\x03\x02abc", esm_class=_UDHI))
    long = piece_in(_delivery(b"\x06\x08\x04\x00\x07\x03\x02abc", esm_class=_UDHI))

    assert short.reference != long.reference


def test_a_header_that_is_longer_than_its_text_is_text() -> None:
    """A phone that sends nonsense is heard with it."""
    assert "a" in message_in([piece_in(_delivery(b"\x30a", esm_class=_UDHI))], GSM7).text


def test_pieces_are_joined_before_they_are_read() -> None:
    """A phone may cut an emoji in two, and an escape from its character."""
    halves = [
        _delivery(
            b"\x05\x00\x03\x07\x02" + bytes((number,)) + octets, esm_class=0x40, data_coding=8
        )
        for number, octets in ((1, b"\xd8\x3d"), (2, b"\xde\x00"))
    ]

    assert "\U0001f600" == message_in([piece_in(each) for each in halves], GSM7).text


def test_pieces_may_have_different_data_codings() -> None:
    """Each run of one data coding is read by it."""
    pieces = [
        piece_in(_delivery(b"\x05\x00\x03\x07\x02\x01ab", esm_class=_UDHI)),
        piece_in(_delivery(b"\x05\x00\x03\x07\x02\x02\x04\x14", esm_class=_UDHI, data_coding=8)),
    ]

    assert "ab\u0414" == message_in(pieces, GSM7).text


@pytest.mark.parametrize(
    ("came", "text"),
    [([1, 3], "1[…]3[…]"), ([2], "[…]2[…]"), ([3, 4], "[…]34"), ([1, 2, 3, 4], "1234")],
)
def test_a_gap_stands_for_pieces_that_never_came(came: list[int], text: str) -> None:
    """An incomplete text says where it is so."""
    head = b"\x05\x00\x03\x07\x04"
    pieces = [
        piece_in(_delivery(head + bytes((number, 0x30 + number)), esm_class=_UDHI))
        for number in came
    ]

    assert text == message_in(pieces, GSM7).text


def test_what_no_store_takes_is_replaced() -> None:
    """A NUL in a text, and a control in an address, become a sign that nobody takes for a character."""
    delivery = DeliverSm(source=Address(5, 0, "a\nb"), short_message=b"a\0b", data_coding=3)

    read = message_in([piece_in(delivery)], GSM7)

    assert ("a\ufffdb", "a\ufffdb") == (read.sender, read.text)


@given(
    octets=st.binary(max_size=40),
    data_coding=st.integers(0, 255),
    esm_class=st.integers(0, 255),
    sar=st.dictionaries(
        st.sampled_from([*Tag]),
        st.binary(max_size=3),
    ),
)
def test_every_delivery_is_read(
    octets: bytes, data_coding: int, esm_class: int, sar: dict[int, bytes]
) -> None:
    """No octets of a phone raise an error, and the place is one that can be."""
    piece = piece_in(
        _delivery(octets, data_coding=data_coding, esm_class=esm_class, tlvs=sar),
    )

    assert 1 <= piece.number <= piece.total <= 255
    assert "+447700900001" == message_in([piece], GSM7).sender


def test_a_text_that_no_sms_has_room_for_is_no_piece() -> None:
    """255 of them would be read at once (D-299)."""
    sar = {
        Tag.SAR_MSG_REF_NUM: b"\0\7",
        Tag.SAR_TOTAL_SEGMENTS: b"\2",
        Tag.SAR_SEGMENT_SEQNUM: b"\1",
    }
    totals = [
        piece_in(_delivery(tlvs={**sar, Tag.MESSAGE_PAYLOAD: b"x" * length})).total
        for length in (254, 255)
    ]

    assert [2, 1] == totals
