"""
Put long inbound texts together from their pieces, which come in any order and more than once.

One `Reassembly` serves a channel account. Nobody else may call it between `take` and the `forget` of what it
returned, so hold a lock:

    for whole in reassembly.take(piece, now):
        await context.hear(account_id, [message_in(whole.pieces, encoding)])
        reassembly.forget(whole)

Then answer the piece's PDU. When `hear` raises, do not answer it: the SMSC repeats it, and everything else is
still here. Call `due` and `rest` in the same way. Pieces that wait are answered, though they are not durable
(D-264).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import define, field, frozen

from .inbound import Piece

# The sender, the recipient, the reference and the number of pieces.
_Key = tuple[str, str, bytes, int]
PATIENCE = timedelta(minutes=2)
MOST_SETS, MOST_OCTETS = 1_000, 1_048_576
# What a piece takes beside its text, about; without it, pieces of no text would have no bound.
_OVERHEAD = 256
# The texts whose pieces are known for a while after they were heard.
_MOST_HEARD = 200


@frozen
class Whole:
    """Pieces of one text in order: all of them, or those that came in time."""

    key: _Key = field(repr=False)
    pieces: Sequence[Piece] = field(repr=False)


@define
class _Set:
    """The pieces of one text that are here, by their numbers."""

    begun: datetime
    pieces: dict[int, Piece] = field(factory=dict)


class Reassembly:
    """Keeps pieces of texts for a while, with a bound on their number and octets."""

    def __init__(
        self,
        patience: timedelta = PATIENCE,
        most_sets: int = MOST_SETS,
        most_octets: int = MOST_OCTETS,
    ) -> None:
        self._patience = patience
        self._most_sets = most_sets
        self._most_octets = most_octets
        # In the order of their first pieces, so that the oldest is the first.
        self._sets: OrderedDict[_Key, _Set] = OrderedDict()
        self._octets = 0
        # When the texts that were heard began, and the hashes of their pieces.
        self._heard: OrderedDict[_Key, tuple[datetime, Mapping[int, int]]] = OrderedDict()

    def take(self, piece: Piece, at: datetime) -> Iterator[Whole]:
        """
        Keep a piece, and yield the texts to hear before its PDU is answered.

        They are the oldest ones where there is no room, one whose reference this piece uses anew, and
        the one that it completes.
        """
        key = _key(piece)
        if self._was_heard(key, piece, at):
            return
        held = self._sets.get(key)
        if held is not None and held.pieces.get(piece.number, piece).octets != piece.octets:
            yield self._whole(key)
        while self._is_crowded(key, piece):
            yield self._whole(next(iter(self._sets)))
        held = self._sets.setdefault(key, _Set(at))
        if piece.number not in held.pieces:
            held.pieces[piece.number] = piece
            self._octets += _size(piece)
        if len(held.pieces) == piece.total:
            yield self._whole(key)

    def due(self, at: datetime) -> Iterator[Whole]:
        """Yield the texts of which no more is awaited, as far as they came."""
        for key, held in list(self._sets.items()):
            if held.begun + self._patience > at:
                return
            yield self._whole(key)

    def rest(self) -> Iterator[Whole]:
        """Yield all texts that are here, as far as they came: for a session that closes."""
        for key in list(self._sets):
            yield self._whole(key)

    def forget(self, whole: Whole) -> None:
        """Drop a text that is durable now; pieces of it that come again are known for a while."""
        held = self._sets.pop(whole.key)
        self._octets -= sum(map(_size, held.pieces.values()))
        hashes = {number: hash(piece.octets) for number, piece in held.pieces.items()}
        self._heard[whole.key] = (held.begun, hashes)
        self._heard.move_to_end(whole.key)
        if len(self._heard) > _MOST_HEARD:
            self._heard.popitem(last=False)

    def _whole(self, key: _Key) -> Whole:
        pieces = self._sets[key].pieces
        return Whole(key, [pieces[number] for number in sorted(pieces)])

    def _was_heard(self, key: _Key, piece: Piece, at: datetime) -> bool:
        """Return whether an SMSC repeats a piece of a text that was heard, because our answer was lost."""
        begun, hashes = self._heard.get(key, (at, {}))
        return at < begun + self._patience and hashes.get(piece.number) == hash(piece.octets)

    def _is_crowded(self, key: _Key, piece: Piece) -> bool:
        is_new = key not in self._sets
        too_many = is_new and len(self._sets) >= self._most_sets
        return too_many or (bool(self._sets) and self._octets + _size(piece) > self._most_octets)


def _size(piece: Piece) -> int:
    return _OVERHEAD + len(piece.octets)


def _key(piece: Piece) -> _Key:
    return piece.sender, piece.recipient, piece.reference, piece.total
