"""Texts that arrive in any data coding, and the GSM 7-bit alphabet."""

import pytest
from aiosmpplib.codec import GSM7BitCodec
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.channels.smpp.encodings import decoded
from watchword.adapters.channels.smpp.settings import GSM7, LATIN1, UCS2
from watchword.domain.sms.gsm7 import from_gsm7, to_gsm7


def test_the_alphabet_is_that_of_another_codec() -> None:
    """Every character that aiosmpplib has in GSM 7-bit has the same octets here, and no other has any."""
    theirs = GSM7BitCodec()
    for code in range(0x10000):
        character = chr(code)
        expected = theirs.encode(character)[0] if theirs.is_gsm_text(character) else None

        assert expected == to_gsm7(character)
        assert expected is None or character == from_gsm7(expected)


@pytest.mark.parametrize(
    ("octets", "text"),
    [
        (b"\x1be\x1b\x14", "\u20ac^"),
        (b"\x1ba", "a"),
        (b"a\x1b", "a "),
        (b"\x1b\x1ba", " a"),
        (b"\x80\xff", "\ufffd\ufffd"),
        (b"", ""),
    ],
    ids=["pairs", "unknown pair", "escape at the end", "two escapes", "eight bits", "nothing"],
)
def test_septets_that_are_no_text_are_read_as_phones_do(octets: bytes, text: str) -> None:
    """An unknown pair is the basic character, an escape without one a blank; eight bits are none."""
    assert text == from_gsm7(octets)


@pytest.mark.parametrize(
    ("octets", "data_coding", "encoding", "text"),
    [
        (b"\x00", 0x00, GSM7, "@"),
        (b"\xe9@", 0x00, LATIN1, "\u00e9@"),
        (b"\x00", 0x00, UCS2, "@"),
        (b"@$_", 0x01, GSM7, "@$_"),
        (b"\xe9", 0x01, GSM7, "\ufffd"),
        (b"\x00\xe9", 0x02, GSM7, "\x00\u00e9"),
        (b"\xe9", 0x03, GSM7, "\u00e9"),
        (b"\xe9", 0x04, GSM7, "\u00e9"),
        (b"\xbf", 0x06, GSM7, "\u041f"),
        (b"\xe0", 0x07, GSM7, "\u05d0"),
        (b"\xd8\x3d\xde\x00", 0x08, GSM7, "\U0001f600"),
        (b"\x00a\x00", 0x08, GSM7, "a\ufffd"),
        (b"\xb0\xa1", 0x0E, GSM7, "\uac00"),
        (b"\x00", 0x10, GSM7, "@"),
        (b"\x00a", 0x18, GSM7, "a"),
        (b"\x00", 0xF0, GSM7, "@"),
        (b"@", 0xF1, LATIN1, "@"),
        (b"\xe9", 0xF5, GSM7, "\u00e9"),
        (b"\x00", 0xC0, GSM7, "@"),
        (b"\x00a", 0xE0, GSM7, "a"),
        (b"\xe9", 0x80, GSM7, "\u00e9"),
    ],
)
def test_a_data_coding_says_what_octets_mean(
    octets: bytes, data_coding: int, encoding: str, text: str
) -> None:
    """Zero is the SMSC's own alphabet, which the config names; the others say theirs."""
    assert text == decoded(octets, data_coding, encoding)


@given(octets=st.binary(max_size=50), data_coding=st.integers(0, 255))
@pytest.mark.parametrize("encoding", [GSM7, LATIN1, UCS2])
def test_every_text_is_read(octets: bytes, data_coding: int, encoding: str) -> None:
    """No octets of a phone raise an error, and empty ones are an empty text."""
    assert bool(octets) >= bool(decoded(octets, data_coding, encoding))
