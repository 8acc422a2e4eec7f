"""Bodies of PDUs: they read as they were written, here and by a codec that is not ours."""

from contextlib import suppress
from typing import Any

import pytest
import smpp34
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.smpp.bodies import (
    Address,
    Bind,
    BindResp,
    DeliverSm,
    MessageResp,
    SubmitSm,
    delivery_in,
)
from watchword.adapters.channels.smpp.pdus import Command, Pdu, PduError
from watchword.adapters.channels.smpp.tlvs import Tag, decoded_tlvs

_OCTET = st.integers(min_value=0, max_value=255)


def _text(longest: int) -> st.SearchStrategy[str]:
    characters = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
    return st.text(characters, max_size=longest)


_ADDRESSES = st.builds(Address, _OCTET, _OCTET, _text(20))
_TLVS = st.dictionaries(
    st.integers(min_value=0, max_value=0xFFFF), st.binary(max_size=40), max_size=3
)
_FIELDS = st.fixed_dictionaries(
    {
        "service_type": _text(5),
        "source": _ADDRESSES,
        "destination": _ADDRESSES,
        "esm_class": _OCTET,
        "protocol_id": _OCTET,
        "priority_flag": _OCTET,
        "schedule_delivery_time": _text(16),
        "validity_period": _text(16),
        "registered_delivery": _OCTET,
        "replace_if_present_flag": _OCTET,
        "data_coding": _OCTET,
        "sm_default_msg_id": _OCTET,
        "short_message": st.binary(max_size=254),
        "tlvs": _TLVS,
    }
)


_SPELLED_APART = ("source", "destination", "tlvs")


@given(fields=_FIELDS, sequence=st.integers(min_value=1, max_value=2**31 - 1))
def test_another_codec_reads_the_same_message(fields: dict[str, Any], sequence: int) -> None:
    """smpp34 decodes each field of our `submit_sm` as it was, and encodes it to the same octets."""
    ours = SubmitSm(**fields)
    written = Pdu(Command.SUBMIT_SM, sequence=sequence, body=ours.encode()).encode()
    theirs = smpp34.decode(written)

    assert isinstance(theirs, smpp34.SubmitSm)
    assert written == theirs.encode()
    assert ours == SubmitSm(
        **{name: getattr(theirs, name) for name in fields if name not in _SPELLED_APART},
        source=Address(theirs.source_addr_ton, theirs.source_addr_npi, theirs.source_addr),
        destination=Address(theirs.dest_addr_ton, theirs.dest_addr_npi, theirs.destination_addr),
        tlvs={each.tag: each.value for each in theirs.tlvs},
    )


@given(fields=_FIELDS)
def test_a_delivery_of_another_codec_is_read(fields: dict[str, Any]) -> None:
    """A `deliver_sm` that smpp34 wrote has the same fields here."""
    ours = DeliverSm(**fields)
    theirs = smpp34.DeliverSm(
        ours.source.value,
        ours.destination.value,
        source_addr_ton=ours.source.ton,
        source_addr_npi=ours.source.npi,
        dest_addr_ton=ours.destination.ton,
        dest_addr_npi=ours.destination.npi,
        **{name: value for name, value in fields.items() if name not in _SPELLED_APART},
        tlvs=[smpp34.Tlv(tag, value) for tag, value in ours.tlvs.items()],
    )

    assert ours == delivery_in(Pdu(Command.DELIVER_SM, body=theirs.encode()[16:]))


def test_a_message_delivered_as_data_is_read() -> None:
    """`data_sm` has fewer fields, and its text is an optional parameter."""
    body = b"\0\1\x01447700900001\0\0\0shop\0\4\0\x08\x04\x24\0\2hi"

    read = delivery_in(Pdu(Command.DATA_SM, body=body))

    assert (
        DeliverSm(
            source=Address(1, 1, "447700900001"),
            destination=Address(0, 0, "shop"),
            esm_class=4,
            data_coding=8,
            tlvs={Tag.MESSAGE_PAYLOAD: b"hi"},
        )
        == read
    )
    with pytest.raises(PduError):
        delivery_in(Pdu(Command.ENQUIRE_LINK))


def test_a_bind_and_its_response_read_as_they_were_written() -> None:
    """A bind has its system id, password and version 3.4; its response may have the SMSC's version."""
    bind = Bind(system_id="shop", password="secret", system_type="OTP")
    answer = BindResp(system_id="smsc", tlvs={Tag.SC_INTERFACE_VERSION: b"\x34"})

    assert b"shop\0secret\0OTP\0\x34\0\0\0" == bind.encode()
    assert bind == Bind.decode(bind.encode())
    assert answer == BindResp.decode(answer.encode())
    assert "secret" not in repr(bind)


def test_a_refusal_may_leave_its_body_out() -> None:
    """SMSCs that refuse a bind or a message send a header alone, or an empty text."""
    assert BindResp() == BindResp.decode(b"") == BindResp.decode(b"\0")
    assert MessageResp() == MessageResp.decode(b"") == MessageResp.decode(b"\0")
    assert b"\0" == MessageResp().encode()


def test_an_id_keeps_every_octet() -> None:
    """An SMSC's id is longer than SMPP says, or has octets beyond ASCII, and stays what it was."""
    assert "a" * 200 == MessageResp.decode(b"a" * 200 + b"\0").message_id
    assert "\xe9" == MessageResp.decode(b"\xe9\0").message_id


@pytest.mark.parametrize(
    "body",
    [
        b"no NUL",
        b"a" * 300 + b"\0",
        b"id\0\x04\x27",
        b"id\0\x04\x27\x00\x02\x01",
        b"id\0\x04\x27\x00\x01\x02trailing",
    ],
    ids=["no NUL", "too long", "half a head", "length beyond the end", "trailing octets"],
)
def test_a_body_that_is_not_what_it_should_be_is_a_pdu_error(body: bytes) -> None:
    """A fault of a body is named, and what stands in the body is not."""
    with pytest.raises(PduError) as caught:
        MessageResp.decode(body)
    assert "id" not in str(caught.value).split()


@given(body=st.binary(max_size=120))
@pytest.mark.parametrize("kind", [Bind, BindResp, SubmitSm, DeliverSm, MessageResp])
def test_bodies_of_any_bytes_are_read_or_a_pdu_error(kind: Any, body: bytes) -> None:
    """Nothing but `PduError` leaves a decoder, whatever an SMSC sends."""
    with suppress(PduError):
        kind.decode(body)


@given(body=st.binary(max_size=60))
def test_data_of_any_bytes_is_read_or_a_pdu_error(body: bytes) -> None:
    """A hostile `data_sm` is refused as a `deliver_sm` is."""
    with suppress(PduError):
        delivery_in(Pdu(Command.DATA_SM, body=body))


@pytest.mark.parametrize(
    "body",
    [
        SubmitSm(short_message=bytes(255)),
        SubmitSm(destination=Address(1, 1, "4" * 21)),
        SubmitSm(source=Address(5, 0, "a\0b")),
        SubmitSm(source=Address(5, 0, "\u041c\u0430")),
        SubmitSm(esm_class=256),
        SubmitSm(tlvs={Tag.MESSAGE_PAYLOAD: bytes(65_536)}),
        SubmitSm(tlvs={70_000: b""}),
        Bind(system_id="shop", password="123456789"),
    ],
)
def test_a_value_that_does_not_fit_is_a_pdu_error(body: Any) -> None:
    """A field that is too long is refused, and never cut."""
    with pytest.raises(PduError):
        body.encode()


def test_the_first_of_repeated_parameters_counts() -> None:
    """An optional parameter that comes twice has its first value."""
    assert {5: b"a"} == decoded_tlvs(b"\0\5\0\1a\0\5\0\1b")


def test_no_number_or_text_is_shown() -> None:
    """A log that prints a message has neither its number nor its text."""
    shown = repr(SubmitSm(destination=Address(1, 1, "447700900001"), short_message=b"4711"))

    assert "4477" not in shown
    assert "4711" not in shown
