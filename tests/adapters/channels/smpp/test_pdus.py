"""Frames of SMPP: PDUs out of any split of a stream, and lengths that cannot be right."""

import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.smpp.pdus import (
    LONGEST_PDU,
    Command,
    FrameReader,
    Pdu,
    PduError,
)
from watchword.adapters.channels.smpp.statuses import Status, status_name

_NUMBERS = st.integers(min_value=0, max_value=2**32 - 1)
_PDUS = st.builds(Pdu, _NUMBERS, _NUMBERS, _NUMBERS, st.binary(max_size=64))


@given(pdus=st.lists(_PDUS, max_size=5), cuts=st.sets(st.integers(min_value=0, max_value=400)))
def test_pdus_are_whole_however_their_bytes_arrive(pdus: list[Pdu], cuts: set[int]) -> None:
    """A stream that is cut anywhere yields the PDUs that were written, in their order."""
    stream = b"".join(each.encode() for each in pdus)
    reader = FrameReader()
    read = [
        pdu
        for begin, end in pairwise(sorted({0, len(stream), *cuts}))
        for pdu in reader.feed(stream[begin:end])
    ]

    assert pdus == read


@pytest.mark.parametrize("length", [0, 1, 15, LONGEST_PDU + 1, 2**31, 2**32 - 1])
def test_a_length_that_cannot_be_right_is_refused_at_once(length: int) -> None:
    """Four octets are enough to refuse a PDU, and no memory is taken for it."""
    reader = FrameReader()
    tracemalloc.start()
    with pytest.raises(PduError):
        list(reader.feed(length.to_bytes(4, "big")))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 10_000


def test_pdus_before_a_wrong_length_are_read() -> None:
    """A PDU that came whole is not lost with the stream; nothing is read behind the wrong length."""
    reader = FrameReader()
    whole = Pdu(Command.ENQUIRE_LINK, sequence=7)
    arriving = reader.feed(whole.encode() + b"\xff" * 4 + whole.encode())

    assert whole == next(arriving)
    with pytest.raises(PduError):
        next(arriving)
    with pytest.raises(PduError):
        next(reader.feed(whole.encode()))


def test_the_longest_pdu_is_read() -> None:
    """A PDU of exactly the longest length is taken."""
    longest = Pdu(Command.DELIVER_SM, sequence=1, body=bytes(LONGEST_PDU - 16))

    assert [longest] == list(FrameReader().feed(longest.encode()))


@given(data=st.binary(max_size=200))
def test_bytes_of_any_kind_are_pdus_or_a_pdu_error(data: bytes) -> None:
    """Nothing but `PduError` leaves the reader, whatever an SMSC sends."""
    try:
        read = list(FrameReader().feed(data))
    except PduError:
        return
    assert data.startswith(b"".join(each.encode() for each in read))


def test_an_answer_has_the_number_of_its_request() -> None:
    """A response has its request's sequence, and its command with the highest bit set."""
    request = Pdu(Command.DELIVER_SM, sequence=9, body=b"body")

    assert Pdu(Command.DELIVER_SM_RESP, 8, 9, b"\0") == request.answer(Status.ESME_RSYSERR, b"\0")
    assert not request.is_response
    assert request.answer().is_response


def test_a_number_that_does_not_fit_is_a_pdu_error() -> None:
    """A header has numbers of 32 bits."""
    with pytest.raises(PduError):
        Pdu(Command.ENQUIRE_LINK, sequence=2**32).encode()


def test_no_body_is_shown() -> None:
    """A log that prints a PDU has none of its content."""
    assert "1234" not in repr(Pdu(Command.SUBMIT_SM, body=b"1234"))


def test_a_status_is_named_as_operators_look_it_up() -> None:
    """A known status has its name; one of a vendor has its number alone."""
    assert "ESME_RTHROTTLED (0x00000058)" == status_name(0x58)
    assert "0x00000401" == status_name(0x401)
