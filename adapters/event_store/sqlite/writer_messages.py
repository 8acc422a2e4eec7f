"""Messages between a service and its writer process: shapes, then batches; verdicts back."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ....application.ports.event_store import (
    Append,
    BudgetsMoved,
    Change,
    Checkpoint,
    Due,
    HeldByOthers,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Overtaken,
    PassMoved,
    PersonGone,
    PersonKnown,
    PersonRecord,
    RateReached,
    Repair,
    Reservation,
    StoreUnavailable,
    StreamConflict,
    TotalReached,
)
from ....application.ports.sealer import SealKey
from ....application.ports.snapshot import Held
from ..batch.packed_append import PackedAppend, PackedRepair
from ..log.stored_event import StoredEvent
from ..rows.row_shape import RowShape
from .writer_conditions import condition_of, flat_condition

# A message is its length, then MessagePack. Both ends run the same release.
_LENGTH = struct.Struct("<I")
LENGTH_BYTES = _LENGTH.size

_encode = msgspec.msgpack.Encoder(decimal_format="number").encode
_decode = msgspec.msgpack.Decoder().decode
_decode_shapes = msgspec.msgpack.Decoder(list[RowShape]).decode


def length_of(header: bytes | bytearray) -> int:
    """Return the length of the message after a header."""
    (length,) = _LENGTH.unpack(header)
    return int(length)


def shapes_message(shapes: Iterable[RowShape]) -> bytes:
    """Return the first message: the shapes of all tables' rows."""
    return _framed(list(shapes))


def read_shapes(body: bytes) -> dict[str, RowShape]:
    """Decode the first message; return the shapes by table name."""
    return {each.name: each for each in _decode_shapes(body)}


def batch_message(batch: Sequence[PackedAppend], real_now: float) -> bytes:
    """Return the message of a batch; `real_now` is in seconds, for its leases."""
    return _framed((real_now, [_flat(packed) for packed in batch]))


def read_batch(body: bytes) -> tuple[list[PackedAppend], float]:
    """Decode a batch, as far as writing needs it, and the real time."""
    real_now, batch = _decode_batch(body)
    return [_packed(sent) for sent in batch], real_now


def verdicts_message(results: Sequence[Sequence[int] | Exception]) -> bytes:
    """Return the message with the result of each append of a batch."""
    return _framed([_flat_verdict(result) for result in results])


def read_verdicts(body: bytes) -> list[Sequence[int] | Exception]:
    """Decode the positions or the refusal of each append."""
    return [
        verdict if isinstance(verdict, list) else _refusal(**verdict) for verdict in _decode(body)
    ]


def _framed(value: Any) -> bytes:
    body = _encode(value)
    return _LENGTH.pack(len(body)) + body


class _Sent(msgspec.Struct, array_like=True):
    """
    An append in a message, field by field.

    A change is its stream, its expected version and its number of events. A condition is its kind and
    its fields; a rate is its text.
    """

    at: datetime
    changes: list[tuple[str, int, int]]
    conditions: list[list[Any]]
    checkpoints: tuple[Checkpoint, ...]
    standing: tuple[Due, ...]
    events: tuple[StoredEvent, ...]
    rows: tuple[tuple[str, list[Any]], ...]
    due: tuple[Due, ...]
    done: tuple[Due, ...]
    keeping: tuple[SealKey, ...]
    dropping: tuple[str, ...]
    new_people: tuple[PersonRecord, ...]
    erasing: tuple[str, ...]
    taking: Reservation | None
    completing: Reservation | None
    renewing: Reservation | None
    answer: bytes | None
    settings: tuple[tuple[str, str], ...]
    repair: PackedRepair | None


_decode_batch = msgspec.msgpack.Decoder(tuple[float, list[_Sent]]).decode


def _flat(packed: PackedAppend) -> tuple[Any, ...]:
    """Return the fields that decode as `_Sent`."""
    append = packed.append
    return (
        append.at,
        [(each.stream, each.expected_version, len(each.events)) for each in append.changes],
        [flat_condition(each) for each in append.conditions],
        append.checkpoints,
        append.standing,
        packed.events,
        packed.rows,
        append.due,
        append.done,
        append.keeping,
        append.dropping,
        append.new_people,
        append.erasing,
        append.taking,
        append.completing,
        append.renewing,
        append.answer,
        packed.settings,
        packed.repair,
    )


# Settling only needs the number of a change's events; `events` holds their content.
_PLACEHOLDER: Any = None


def _packed(sent: _Sent) -> PackedAppend:
    append = Append(
        at=sent.at,
        actor="",
        request_id="",
        changes=tuple(
            [
                Change(stream, expected, (_PLACEHOLDER,) * count, None)
                for stream, expected, count in sent.changes
            ]
        ),
        conditions=tuple([condition_of(each) for each in sent.conditions]),
        checkpoints=sent.checkpoints,
        standing=sent.standing,
        due=sent.due,
        done=sent.done,
        keeping=sent.keeping,
        dropping=sent.dropping,
        new_people=sent.new_people,
        erasing=sent.erasing,
        taking=sent.taking,
        completing=sent.completing,
        renewing=sent.renewing,
        answer=sent.answer,
        repair=None if sent.repair is None else _settled(sent.repair),
    )
    return PackedAppend(append, sent.events, sent.rows, sent.settings, sent.repair)


def _settled(repair: PackedRepair) -> Repair:
    """Return as much of a repair as settling needs."""
    holders = tuple([Held(*each) for each in repair.stray_holders])
    return Repair(stray_holders=holders, stray_due=repair.stray_due, tallies=repair.tallies)


def _flat_verdict(result: Sequence[int] | Exception) -> Any:
    match result:
        case StreamConflict():
            return {"kind": "StreamConflict", "arguments": [result.stream]}
        case RateReached():
            return {"kind": "RateReached", "arguments": [result.subject, result.free_at]}
        case BudgetsMoved():
            return {"kind": "BudgetsMoved", "arguments": [result.reached, list(result.free)]}
        case PassMoved():
            return {"kind": "PassMoved", "arguments": [result.person_id, result.verified_at]}
        case TotalReached():
            return {"kind": "TotalReached", "arguments": [result.subject]}
        case HeldByOthers():
            return {"kind": "HeldByOthers", "arguments": [result.subject, list(result.holders)]}
        case PersonKnown():
            return {"kind": "PersonKnown", "arguments": [result.people]}
        case PersonGone():
            return {"kind": "PersonGone", "arguments": [result.person_id]}
        case Overtaken():
            return {"kind": "Overtaken", "arguments": [result.name]}
        case KeyAnswered():
            return {"kind": "KeyAnswered", "arguments": [result.answer]}
        case KeyInProgress():
            return {"kind": "KeyInProgress", "arguments": [result.seconds_left]}
        case KeyReused() | LeaseLost():
            return {"kind": type(result).__name__, "arguments": []}
        case Exception():
            reason = getattr(result, "reason", type(result).__name__)
            return {"kind": "StoreUnavailable", "arguments": [str(result), reason]}
        case _:
            return list(result)


def _refusal(kind: str, arguments: list[Any]) -> Exception:
    return _REFUSALS[kind](*arguments)


_REFUSALS: Mapping[str, Callable[..., Exception]] = {
    each.__name__: each
    for each in (
        StreamConflict,
        RateReached,
        TotalReached,
        Overtaken,
        KeyAnswered,
        KeyInProgress,
        KeyReused,
        LeaseLost,
        PassMoved,
        PersonGone,
    )
} | {
    "PersonKnown": lambda people: PersonKnown(msgspec.convert(people, tuple[PersonRecord, ...])),
    "BudgetsMoved": lambda reached, free: BudgetsMoved(reached, frozenset(free)),
    "HeldByOthers": lambda subject, holders: HeldByOthers(subject, frozenset(holders)),
    "StoreUnavailable": StoreUnavailable,
}
