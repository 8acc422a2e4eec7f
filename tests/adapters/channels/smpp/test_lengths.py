"""The number of segments that an author is told is the number of PDUs that carry a text."""

from tests.adapters.channels.smpp.texts import texts
from watchword.adapters.channels.smpp.segmenting import parts_of
from watchword.adapters.channels.smpp.settings import GSM7, UDH8
from watchword.domain.sms.length import length_of


def test_a_text_takes_as_many_pdus_as_segments_are_counted() -> None:
    """Of texts of all scripts, in GSM-7 and in UCS-2, one `submit_sm` goes out for each segment."""
    counted = 0
    for text in texts():
        for unicode in (False, True):
            length = length_of(text, unicode=unicode)
            if length.segments <= 255:
                assert len(parts_of(text, GSM7, UDH8, 0, unicode=unicode)) == length.segments
                counted += length.segments > 1
    assert counted > 1000
