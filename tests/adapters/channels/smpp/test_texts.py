"""Texts as SMPP carries them: other codecs read them as they were, and no segment is too long."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import cycle, islice
from random import Random

import pytest
import smpp34
from aiosmpplib.protocol import SubmitSm as TheirSubmitSm
from aiosmpplib.state import PduHeader, SmppCommand, SmppCommandStatus

from tests.adapters.channels.smpp.texts import texts
from watchword.adapters.channels.smpp.bodies import Address, DeliverSm, SubmitSm
from watchword.adapters.channels.smpp.inbound import message_in, piece_in
from watchword.adapters.channels.smpp.pdus import Command, Pdu
from watchword.adapters.channels.smpp.reassembling import PATIENCE, Reassembly
from watchword.adapters.channels.smpp.segmenting import parts_of
from watchword.adapters.channels.smpp.settings import (
    GSM7,
    LATIN1,
    PAYLOAD,
    SAR,
    UCS2,
    UDH8,
    UDH16,
)

_NOW = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)
_UDHI, _MESSAGE_PAYLOAD = 0x40, 0x0424
_ALPHABETS = {0: "gsm0338", 3: "iso-8859-1", 8: "UTF-16BE"}
_PATH = shutil.which("perl")
# Decodes each line of an alphabet's name and octets, and prints the octets of UTF-8.
_PERL = (
    "use Encode; while (<STDIN>) { my ($name, $octets) = split;"
    ' print unpack("H*", encode("UTF-8", decode($name, pack("H*", $octets)))), "\\n"; }'
)


class _Sent:
    """A text and the PDUs that carry it."""

    def __init__(self, text: str, encoding: str, long_messages: str, reference: int) -> None:
        self.text = text
        self.parts = [
            SubmitSm(
                source=Address(5, 0, "Orchid"),
                destination=Address(1, 1, "447700900001"),
                esm_class=part.esm_class,
                data_coding=part.data_coding,
                short_message=part.short_message,
                tlvs=part.tlvs,
            )
            for part in parts_of(text, encoding, long_messages, reference)
        ]
        self.pdus = [
            Pdu(Command.SUBMIT_SM, 0, number, part.encode()).encode()
            for number, part in enumerate(self.parts, 1)
        ]


@pytest.fixture(scope="module")
def sent() -> Sequence[_Sent]:
    """Ten thousand texts, in all encodings and all forms of long messages."""
    forms = [
        (encoding, long_messages)
        for encoding in (GSM7, LATIN1, UCS2)
        for long_messages in (UDH8, UDH16, SAR, PAYLOAD)
    ]
    return [
        _Sent(text, encoding, long_messages, reference)
        for reference, (text, (encoding, long_messages)) in enumerate(
            zip(texts(), cycle(forms), strict=False)
        )
    ]


def test_a_codec_of_python_reads_every_text(sent: Sequence[_Sent]) -> None:
    """The codec of aiosmpplib decodes each part with its header, and together they are the text."""
    assert 10_000 == len(sent)
    for each in sent:
        assert each.text == "".join(_read_by_aiosmpplib(pdu) for pdu in each.pdus)


@pytest.mark.skipif(
    _PATH is None, reason="This machine has no Perl, whose Encode is the second codec."
)
def test_codecs_of_rust_and_perl_read_every_text(sent: Sequence[_Sent]) -> None:
    """smpp34 reads the octets of each part and Perl's Encode their text: GSM 7-bit and UTF-16BE."""
    lines, counts = [], []
    for each in sent:
        read = [_octets_by_smpp34(pdu) for pdu in each.pdus]
        lines += [f"{_ALPHABETS[coding]} {octets.hex()}" for coding, octets in read]
        counts.append(len(read))
    run = subprocess.run(
        [str(_PATH), "-e", _PERL],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    decoded = iter(run.stdout.splitlines())

    for each, count in zip(sent, counts, strict=True):
        assert each.text == bytes.fromhex("".join(islice(decoded, count))).decode()


def test_no_segment_is_longer_than_an_sms(sent: Sequence[_Sent]) -> None:
    """The septets or octets of each part and its header fit into the 140 octets of an SMS."""
    for each in sent:
        for part in each.parts:
            if part.tlvs and not part.short_message:
                continue
            # The SMSC makes a header of six octets from the parameters.
            head = part.short_message[0] + 1 if part.esm_class & _UDHI else 6 if part.tlvs else 0
            text = len(part.short_message) - (head if part.esm_class & _UDHI else 0)
            bits = text * (7 if part.data_coding == 0 else 8)
            # Septets begin at a multiple of seven bits behind a header.
            begin = -(-head * 8 // 7) * 7 if part.data_coding == 0 else head * 8
            assert begin + bits <= 140 * 8


def test_parts_in_any_order_are_the_text_again(sent: Sequence[_Sent]) -> None:
    """What we send would read equal if we heard it: parts are shuffled, and half of them repeated."""
    random = Random(7)
    reassembly = Reassembly()
    for at, each in enumerate(sent):
        parts = [*each.parts, *random.sample(each.parts, len(each.parts) // 2)]
        random.shuffle(parts)
        assert [each.text] == list(_heard(reassembly, parts, _NOW + at * PATIENCE))


def _heard(reassembly: Reassembly, parts: Sequence[SubmitSm], at: datetime) -> Iterator[str]:
    for part in parts:
        piece = piece_in(DeliverSm.decode(part.encode()))
        for whole in reassembly.take(piece, at):
            reassembly.forget(whole)
            yield message_in(whole.pieces, GSM7).text


def _read_by_aiosmpplib(pdu: bytes) -> str:
    header = PduHeader(len(pdu), SmppCommand.SUBMIT_SM, SmppCommandStatus.ESME_ROK, 1)
    read = TheirSubmitSm.from_pdu(pdu, header, default_encoding="gsm0338")
    assert isinstance(read, TheirSubmitSm)
    return read.short_message or read.message_payload


def _octets_by_smpp34(pdu: bytes) -> tuple[int, bytes]:
    read = smpp34.decode(pdu)
    assert isinstance(read, smpp34.SubmitSm)
    payload = [each.value for each in read.tlvs if each.tag == _MESSAGE_PAYLOAD]
    octets = payload[0] if payload else read.short_message
    return read.data_coding, octets[octets[0] + 1 :] if read.esm_class & _UDHI else octets


@pytest.mark.parametrize(
    ("character", "encoding", "long_messages", "alone", "in_parts"),
    [
        ("a", GSM7, UDH8, 160, 153),
        ("a", GSM7, UDH16, 160, 152),
        ("a", GSM7, SAR, 160, 153),
        ("\u0915", GSM7, UDH8, 70, 67),
        ("\u0915", GSM7, UDH16, 70, 66),
        ("a", UCS2, UDH8, 70, 67),
        ("\u00e9", LATIN1, UDH8, 140, 134),
        ("\u00e9", LATIN1, UDH16, 140, 133),
    ],
)
def test_parts_are_as_long_as_an_sms_allows(
    character: str, encoding: str, long_messages: str, alone: int, in_parts: int
) -> None:
    """A text goes alone while it fits, and otherwise in as few parts as there can be."""

    def count(length: int) -> int:
        return len(parts_of(character * length, encoding, long_messages, 0))

    assert [1, 2, 2, 3] == [
        count(alone),
        count(alone + 1),
        count(in_parts * 2),
        count(in_parts * 2 + 1),
    ]


def test_a_pair_that_would_be_split_goes_to_the_next_part() -> None:
    """An escape stays with its character, and half of an emoji with the other one."""
    escaped = parts_of("a" * 152 + "\u20ac" + "a" * 10, GSM7, UDH8, 1)
    emoji = parts_of("\u0915" * 66 + "\U0001f600" + "\u0915" * 10, GSM7, UDH8, 1)

    assert [152, 12] == [len(each.short_message) - 6 for each in escaped]
    assert b"\x1be" == escaped[1].short_message[6:8]
    assert [132, 24] == [len(each.short_message) - 6 for each in emoji]


def test_a_caller_who_wants_unicode_gets_it() -> None:
    """A text that GSM 7-bit has goes as UCS-2 if the caller says so."""
    (part,) = parts_of("plain", GSM7, UDH8, 1, unicode=True)

    assert (8, "plain".encode("utf-16-be")) == (part.data_coding, part.short_message)


def test_half_of_a_pair_becomes_a_question_mark() -> None:
    """A text that is no Unicode is sent all the same."""
    (part,) = parts_of("a\ud83d", GSM7, UDH8, 1)

    assert "a?".encode("utf-16-be") == part.short_message
