"""Long inbound texts: their pieces wait for each other, for a while and up to a bound."""

import tracemalloc
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from watchword.adapters.channels.smpp.inbound import Piece, message_in
from watchword.adapters.channels.smpp.reassembling import PATIENCE, Reassembly, Whole
from watchword.adapters.channels.smpp.settings import GSM7

_NOW = datetime(2026, 11, 23, 6, 0, tzinfo=UTC)


def _piece(
    number: int, octets: bytes, total: int = 2, sender: str = "+447700900001", reference: int = 7
) -> Piece:
    return Piece(
        sender=sender,
        recipient="57575",
        data_coding=3,
        octets=octets,
        reference=bytes((reference,)),
        total=total,
        number=number,
    )


def _heard(reassembly: Reassembly, wholes: Iterable[Whole]) -> list[str]:
    texts = []
    for whole in wholes:
        texts.append(message_in(whole.pieces, GSM7).text)
        reassembly.forget(whole)
    return texts


def _take(reassembly: Reassembly, *pieces: Piece, at: datetime = _NOW) -> list[str]:
    return [text for each in pieces for text in _heard(reassembly, reassembly.take(each, at))]


def test_a_text_is_heard_with_its_last_piece() -> None:
    """Pieces come in any order, and one that comes twice is one."""
    reassembly = Reassembly()

    assert [] == _take(reassembly, _piece(2, b"b"), _piece(2, b"b"))
    assert ["ab"] == _take(reassembly, _piece(1, b"a"))


def test_texts_of_others_are_apart() -> None:
    """The sender, the reference and the number of pieces tell texts from each other."""
    reassembly = Reassembly()
    others = [
        _piece(2, b"x", sender="+447700900002"),
        _piece(2, b"y", reference=8),
        _piece(2, b"z", total=3),
    ]

    assert [] == _take(reassembly, _piece(1, b"a"), *others)
    assert ["ab"] == _take(reassembly, _piece(2, b"b"))


def test_a_text_stays_until_it_is_durable() -> None:
    """When the store does not answer, the SMSC's repetition of the last piece has the whole text."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"))
    (unheard,) = reassembly.take(_piece(2, b"b"), _NOW)
    assert 2 == len(unheard.pieces)

    assert ["ab"] == _take(reassembly, _piece(2, b"b"))


def test_an_incomplete_text_is_heard_when_no_more_is_awaited() -> None:
    """After the patience for it, what came of a text is heard, with a gap for the rest."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"))
    _take(reassembly, _piece(1, b"later", reference=8), at=_NOW + timedelta(seconds=1))

    assert [] == _heard(reassembly, reassembly.due(_NOW + PATIENCE - timedelta(seconds=1)))
    assert ["a[…]"] == _heard(reassembly, reassembly.due(_NOW + PATIENCE))
    assert [] == _heard(reassembly, reassembly.due(_NOW + PATIENCE))


def test_the_rest_is_heard_when_a_session_closes() -> None:
    """Nothing waits in a process that ends."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"), _piece(2, b"b", reference=8))

    assert ["a[…]", "[…]b"] == _heard(reassembly, reassembly.rest())
    assert [] == _heard(reassembly, reassembly.rest())


def test_a_repeated_piece_of_a_text_that_was_heard_is_not_heard_again() -> None:
    """An SMSC whose answer was lost repeats a piece; the person wrote it once."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"), _piece(2, b"b"))

    assert [] == _take(reassembly, _piece(2, b"b"))
    assert [] == list(reassembly.rest())


def test_a_late_piece_is_heard_on_its_own() -> None:
    """A piece that comes after the patience for its text is not lost."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"))
    late = _NOW + PATIENCE
    _heard(reassembly, reassembly.due(late))
    _take(reassembly, _piece(2, b"b"), at=late)

    assert ["[…]b"] == _heard(reassembly, reassembly.due(late + PATIENCE))


def test_a_reference_that_is_used_anew_begins_a_new_text() -> None:
    """Phones count references from the beginning again, so another text may have the same one."""
    reassembly = Reassembly()

    assert [] == _take(reassembly, _piece(1, b"old"))
    assert ["old[…]"] == _take(reassembly, _piece(1, b"new"))
    assert ["new!"] == _take(reassembly, _piece(2, b"!"))


def test_the_same_text_may_come_again_later() -> None:
    """A person who writes the same with the same reference is heard, once it cannot be a repetition."""
    reassembly = Reassembly()
    _take(reassembly, _piece(1, b"a"), _piece(2, b"b"))

    assert ["ab"] == _take(reassembly, _piece(1, b"a"), _piece(2, b"b"), at=_NOW + PATIENCE)


def test_the_oldest_text_is_heard_where_there_is_no_room() -> None:
    """A bound on texts and one on octets hold, and nothing is dropped for them."""
    few = Reassembly(most_sets=2)
    small = Reassembly(most_octets=600)
    first, second, third = (_piece(1, b"12345", reference=each) for each in range(3))

    assert ["12345[…]"] == _take(few, first, second, third)
    assert ["12345[…]"] == _take(small, first, second, third)
    assert 2 == len(list(few.rest())) == len(list(small.rest()))


def test_pieces_without_text_have_a_bound_too() -> None:
    """Thirty thousand pieces of one octet, which anybody can send, take little memory."""
    reassembly = Reassembly()
    tracemalloc.start()
    for at in range(30_000):
        number, sender = at % 100 + 1, f"+44770{at // 100}"
        _take(reassembly, _piece(number, b"a", total=255, sender=sender))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 4_000_000


def test_a_piece_is_not_kept_while_the_oldest_text_cannot_be_heard() -> None:
    """The bound holds while the store is out of reach: the SMSC has the piece, and repeats it."""
    reassembly = Reassembly(most_sets=1)
    _take(reassembly, _piece(1, b"a"))
    unheard = next(reassembly.take(_piece(1, b"b", reference=8), _NOW))
    assert b"a" == unheard.pieces[0].octets

    assert ["a[…]"] == _heard(reassembly, reassembly.rest())
