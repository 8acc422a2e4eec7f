"""The units and segments of an SMS (3GPP TS 23.040)."""

import pytest

from watchword.domain.sms.length import Encoding, SmsLength, length_of

GSM, UCS = Encoding.GSM_7, Encoding.UCS_2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", SmsLength(GSM, 0, 1, 160)),
        ("a" * 160, SmsLength(GSM, 160, 1, 0)),
        ("a" * 161, SmsLength(GSM, 161, 2, 145)),
        ("a" * 306, SmsLength(GSM, 306, 2, 0)),
        ("a" * 307, SmsLength(GSM, 307, 3, 152)),
        ("é" * 70, SmsLength(GSM, 70, 1, 90)),
        ("ê", SmsLength(UCS, 1, 1, 69, ("ê",))),
        ("ê" * 70, SmsLength(UCS, 70, 1, 0, ("ê",))),
        ("ê" * 71, SmsLength(UCS, 71, 2, 63, ("ê",))),
        ("aêbûcê", SmsLength(UCS, 6, 1, 64, ("ê", "û"))),
    ],
)
def test_a_text_has_units_and_segments(text: str, expected: SmsLength) -> None:
    """160 septets or 70 units stand alone; of a longer text a segment takes 153 or 67."""
    assert length_of(text) == expected


def test_a_text_may_be_asked_for_in_ucs2() -> None:
    """A text that GSM-7 has is counted in UCS-2 units if it is sent so, and nothing forced it."""
    assert length_of("a" * 71, unicode=True) == SmsLength(UCS, 71, 2, 63, ())


def test_a_character_of_the_extension_takes_two_septets() -> None:
    """Eighty euro signs fill a segment; the next one makes a second."""
    assert length_of("€" * 80) == SmsLength(GSM, 160, 1, 0)
    assert length_of("€" * 81).segments == 2


def test_a_pair_is_not_cut() -> None:
    """A pair that does not fit into a segment goes to the next one, whose room it takes."""
    assert length_of("a" * 152 + "€" + "a" * 152) == SmsLength(GSM, 306, 3, 152)
    assert length_of("ê" * 66 + "😀" + "ê" * 66).segments == 3
