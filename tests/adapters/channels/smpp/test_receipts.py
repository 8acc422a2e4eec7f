"""Receipts of SMSCs: which deliveries are receipts, and what they say."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.smpp.bodies import DeliverSm
from watchword.adapters.channels.smpp.pdus import PduError
from watchword.adapters.channels.smpp.receipts import is_receipt, report_in, submitted_id
from watchword.adapters.channels.smpp.settings import DEC_TO_HEX, HEX_TO_DEC, SAME
from watchword.adapters.channels.smpp.tlvs import Tag
from watchword.application.ports.channels import ProviderReport
from watchword.domain.receipt import Receipt, ReceiptStatus

_NOW = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)
_SENT, _DELIVERED, _FAILED = ReceiptStatus.SENT, ReceiptStatus.DELIVERED, ReceiptStatus.FAILED
_WHOLE = (
    "id:7f sub:001 dlvrd:001 submit date:2611230559 done date:2611230600 stat:DELIVRD err:000"
    " text:Your code is 4711"
)


def _words(words: str, **fields: Any) -> DeliverSm:
    return DeliverSm(**{"esm_class": 0x04, "short_message": words.encode(), **fields})


def _parameters(state: bytes, **more: bytes) -> DeliverSm:
    tlvs: dict[int, bytes] = {Tag[name]: value for name, value in more.items()}
    return DeliverSm(tlvs={Tag.RECEIPTED_MESSAGE_ID: b"7f\0", Tag.MESSAGE_STATE: state, **tlvs})


def _report(status: ReceiptStatus, error_code: str | None = None) -> ProviderReport:
    receipt = Receipt(status=status, error_code=error_code, reported_at=_NOW)
    return ProviderReport(provider_message_id="7f", receipt=receipt)


@pytest.mark.parametrize(
    "delivery",
    [
        _words(_WHOLE),
        _words(_WHOLE.upper().replace("ID:7F", "ID:7f")),
        _words("id:7f stat:DELIVRD"),
        _words("stat: delivrd  err: 000  id: 7f"),
        _words("id:7f\nsub:001\ndlvrd:001\nstat:DELIVERED\n"),
        _words("id:7f,sub:001,stat:DELIVRD,err:0"),
        _words("id:7f sub: dlvrd: stat:DELIVRD err: text:"),
        _words(_WHOLE + "\0"),
        _words("", short_message=b"", tlvs={Tag.MESSAGE_PAYLOAD: _WHOLE.encode()}),
        _words("", short_message=_WHOLE.encode("utf-16-be"), data_coding=8),
        _parameters(b"\x02"),
    ],
    ids=[
        "whole",
        "upper case",
        "short",
        "other order",
        "lines",
        "commas",
        "blanks",
        "nul",
        "payload",
        "ucs2",
        "parameters",
    ],
)
def test_a_receipt_is_read_in_all_its_forms(delivery: DeliverSm) -> None:
    """Members may be missing, in another order, or in another case; the id is the SMSC's own."""
    assert is_receipt(delivery)
    assert _report(_DELIVERED) == report_in(delivery, SAME, _NOW)


@pytest.mark.parametrize(
    ("state", "status", "word"),
    [
        (0, _SENT, "SCHEDULED"),
        (1, _SENT, "ENROUTE"),
        (2, _DELIVERED, "DELIVRD"),
        (3, _FAILED, "EXPIRED"),
        (4, _FAILED, "DELETED"),
        (5, _FAILED, "UNDELIV"),
        (6, _SENT, "ACCEPTD"),
        (7, _FAILED, "UNKNOWN"),
        (8, _FAILED, "REJECTD"),
        (9, _FAILED, "SKIPPED"),
    ],
)
def test_every_state_has_a_status(state: int, status: ReceiptStatus, word: str) -> None:
    """A state means the same as a number and as a word; one that failed is its own code (C-99)."""
    expected = _report(status, word if status is _FAILED else None)

    assert expected == report_in(_parameters(bytes((state,))), SAME, _NOW)
    assert expected == report_in(_words(f"id:7f stat:{word} err:000"), SAME, _NOW)


@pytest.mark.parametrize(
    ("delivery", "code"),
    [
        (_words("id:7f stat:UNDELIV err:075"), "075"),
        (_words("id:7f stat:UNDELIV err:21b"), "21b"),
        (_words("id:7f stat:UNDELIV err:0"), "UNDELIV"),
        (_words("id:7f stat:UNDELIV"), "UNDELIV"),
        (_words(f"id:7f stat:UNDELIV err:{'9' * 21}"), "UNDELIV"),
        (_parameters(b"\x05", NETWORK_ERROR_CODE=b"\x03\x01\x02"), "258"),
        (_parameters(b"\x05", NETWORK_ERROR_CODE=b"\x03\0\0"), "UNDELIV"),
        (_parameters(b"\x05", NETWORK_ERROR_CODE=b"\x03"), "UNDELIV"),
    ],
)
def test_a_failure_has_the_code_that_operators_look_up(delivery: DeliverSm, code: str) -> None:
    """It is the receipt's own, else that of the network, else the word of the state."""
    assert _report(_FAILED, code) == report_in(delivery, SAME, _NOW)


@pytest.mark.parametrize(
    ("delivery", "expected"),
    [
        (DeliverSm(esm_class=0x04), True),
        (DeliverSm(esm_class=0x20), True),
        (DeliverSm(esm_class=0x44), True),
        (DeliverSm(short_message=_WHOLE.encode()), False),
        (DeliverSm(esm_class=0x40, short_message=_WHOLE.encode()), False),
        (DeliverSm(esm_class=0x10, short_message=_WHOLE.encode()), False),
        (DeliverSm(tlvs={Tag.RECEIPTED_MESSAGE_ID: b"7f\0"}), False),
        (DeliverSm(tlvs={Tag.MESSAGE_STATE: b"\x02"}), False),
        (_parameters(b"\x02"), True),
    ],
)
def test_nobody_makes_a_receipt_by_writing_one(delivery: DeliverSm, expected: bool) -> None:
    """The SMSC's class or its parameters make a receipt; the same words of a person are a message."""
    assert expected is is_receipt(delivery)


@pytest.mark.parametrize(
    "delivery",
    [
        _words(""),
        _words("stat:DELIVRD"),
        _words("id: sub:001 stat:DELIVRD"),
        _words("id:7f stat:GONE"),
        _words("id:7f"),
        _words(f"id:{'7' * 257} stat:DELIVRD"),
        _words("id:7\x01f stat:DELIVRD"),
        _words("text:id:4711 stat:DELIVRD"),
        _parameters(b"\x0a"),
        _parameters(b""),
    ],
)
def test_a_receipt_without_id_or_state_is_unreadable(delivery: DeliverSm) -> None:
    """Nothing is guessed, and the message's own text is never looked at: it may have the code."""
    with pytest.raises(PduError) as caught:
        report_in(delivery, SAME, _NOW)
    assert "4711" not in str(caught.value)


def test_parameters_count_before_words() -> None:
    """A receipt with both has the id and the state of its parameters."""
    delivery = DeliverSm(
        esm_class=0x04,
        short_message=b"id:other stat:ENROUTE err:000",
        tlvs={Tag.RECEIPTED_MESSAGE_ID: b"7f\0", Tag.MESSAGE_STATE: b"\x02"},
    )

    assert _report(_DELIVERED) == report_in(delivery, SAME, _NOW)


@pytest.mark.parametrize(
    ("id_form", "answered", "receipted", "stored"),
    [
        (SAME, "0A1b", "0A1b", "0A1b"),
        (HEX_TO_DEC, "2587", "0A1B", "2587"),
        (HEX_TO_DEC, "0000002587", "a1b", "2587"),
        (DEC_TO_HEX, "0A1B", "2587", "a1b"),
        (DEC_TO_HEX, "a1b", "0000002587", "a1b"),
        (HEX_TO_DEC, "shop-7", "shop-7", "shop-7"),
        (DEC_TO_HEX, "shop-7", "shop-7", "shop-7"),
    ],
)
def test_ids_of_answers_and_receipts_meet(
    id_form: str, answered: str, receipted: str, stored: str
) -> None:
    """The config says how a receipt's id is converted; zeros before a number and its case are none of it."""
    report = report_in(_words(f"id:{receipted} stat:DELIVRD"), id_form, _NOW)

    assert stored == submitted_id(answered, id_form) == report.provider_message_id


@given(
    octets=st.binary(max_size=60),
    data_coding=st.sampled_from([0, 3, 8]),
    tlvs=st.dictionaries(st.sampled_from([*Tag]), st.binary(max_size=6)),
)
@pytest.mark.parametrize("id_form", [SAME, HEX_TO_DEC, DEC_TO_HEX])
def test_receipts_of_any_bytes_are_read_or_a_pdu_error(
    octets: bytes, data_coding: int, tlvs: dict[int, bytes], id_form: str
) -> None:
    """Nothing but `PduError` leaves the reader, and an id is a text that a store takes."""
    delivery = DeliverSm(
        esm_class=0x04, data_coding=data_coding, short_message=b"id:7 stat:" + octets, tlvs=tlvs
    )
    try:
        report = report_in(delivery, id_form, _NOW)
    except PduError:
        return
    assert report.provider_message_id
    assert "\0" not in report.provider_message_id


def test_a_receipt_is_looked_for_in_the_first_words_alone() -> None:
    """A search in 64 KiB of words would hold the event loop (D-299)."""
    near, far = (
        DeliverSm(esm_class=0x04, tlvs={Tag.MESSAGE_PAYLOAD: b" " * blanks + b"id:7f stat:DELIVRD"})
        for blanks in (2_000, 2_048)
    )

    assert _report(_DELIVERED) == report_in(near, SAME, _NOW)
    with pytest.raises(PduError):
        report_in(far, SAME, _NOW)
