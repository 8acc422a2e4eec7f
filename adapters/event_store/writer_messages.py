"""What goes between a service and its writer process: the tables, then batches; verdicts back."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from eventsourcing.persistence import StoredEvent

from ...application.ports.event_store import (
    Advance,
    Append,
    Change,
    Due,
    DueKind,
    HeldByOthers,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Overtaken,
    RateReached,
    Reservation,
    StoreUnavailable,
    StreamConflict,
)
from ...application.ports.sealer import SealKey
from ...domain.conditions import Condition, Hold, Release, SoleHolder, Unchanged, WithinRate
from ...domain.rate_limit import Rate
from .packed_append import PackedAppend
from .row_shape import RowShape

# Every message is its length, then MessagePack; both ends run the same release.
_LENGTH = struct.Struct("<I")
LENGTH_BYTES = _LENGTH.size

_encode = msgspec.msgpack.Encoder(decimal_format="number").encode
_decode = msgspec.msgpack.Decoder().decode
_decode_shapes = msgspec.msgpack.Decoder(list[RowShape]).decode


def length_of(header: bytes | bytearray) -> int:
    """Give the length of the message behind a header."""
    (length,) = _LENGTH.unpack(header)
    return int(length)


def shapes_message(shapes: Iterable[RowShape]) -> bytes:
    """Give the first message: what the rows of all tables look like."""
    return _framed(list(shapes))


def read_shapes(body: bytes) -> dict[str, RowShape]:
    """Give what a first message says, by the tables' names."""
    return {each.name: each for each in _decode_shapes(body)}


def batch_message(batch: Sequence[PackedAppend], real_now: float) -> bytes:
    """Give the message that has a batch written; `real_now` in seconds, for its leases."""
    return _framed((real_now, [_flat(packed) for packed in batch]))


def read_batch(body: bytes) -> tuple[list[PackedAppend], float]:
    """Give the batch of a message, as far as writing it needs it, and the real time."""
    real_now, batch = _decode(body)
    return [_packed(*flat) for flat in batch], real_now


def verdicts_message(results: Sequence[Sequence[int] | Exception]) -> bytes:
    """Give the message that says what became of each append of a batch."""
    return _framed([_flat_verdict(result) for result in results])


def read_verdicts(body: bytes) -> list[Sequence[int] | Exception]:
    """Give the positions, or the refusal, of each append."""
    return [
        verdict if isinstance(verdict, list) else _refusal(**verdict) for verdict in _decode(body)
    ]


def _framed(value: Any) -> bytes:
    body = _encode(value)
    return _LENGTH.pack(len(body)) + body


def _flat(packed: PackedAppend) -> tuple[Any, ...]:
    # The values inside are encoded as they are, field by field, by the library.
    append = packed.append
    return (
        append.at,
        [(each.stream, each.expected_version, len(each.events)) for each in append.changes],
        [(type(each).__name__, each) for each in append.conditions],
        append.advances,
        packed.events,
        packed.rows,
        append.due,
        append.done,
        append.keeping,
        append.dropping,
        append.taking,
        append.completing,
        append.renewing,
        append.answer,
        packed.settings,
    )


def _packed(
    at: Any,
    changes: list[Any],
    conditions: list[Any],
    advances: list[Any],
    events: list[Any],
    rows: list[Any],
    due: list[Any],
    done: list[Any],
    keeping: list[Any],
    dropping: list[str],
    taking: Any,
    completing: Any,
    renewing: Any,
    answer: bytes | None,
    settings: list[Any],
) -> PackedAppend:
    append = Append(
        at=at,
        actor="",
        request_id="",
        # How many events there are is all that settling asks; their bytes are beside them.
        changes=tuple(
            Change(stream, expected, (None,) * count, None) for stream, expected, count in changes
        ),
        conditions=tuple(_CONDITIONS[name](fields) for name, fields in conditions),
        advances=tuple(Advance(**each) for each in advances),
        due=tuple(_due(each) for each in due),
        done=tuple(_due(each) for each in done),
        keeping=tuple(SealKey(**each) for each in keeping),
        dropping=tuple(dropping),
        taking=_reservation(taking),
        completing=_reservation(completing),
        renewing=_reservation(renewing),
        answer=answer,
    )
    return PackedAppend(
        append,
        tuple(StoredEvent(**each) for each in events),
        tuple((table, values) for table, values in rows),
        tuple((name, value) for name, value in settings),
    )


def _within_rate(fields: dict[str, Any]) -> Condition:
    return WithinRate(**{**fields, "rate": _rate(fields["rate"]["text"])})


def _sole_holder(fields: dict[str, Any]) -> Condition:
    return SoleHolder(fields["subject"], fields["holder"], frozenset(fields["retiring"]))


_CONDITIONS: Mapping[str, Callable[[dict[str, Any]], Condition]] = {
    "WithinRate": _within_rate,
    "SoleHolder": _sole_holder,
    "Hold": lambda fields: Hold(**fields),
    "Release": lambda fields: Release(**fields),
    "Unchanged": lambda fields: Unchanged(**fields),
}
_rate = lru_cache(maxsize=1024)(Rate)


def _due(fields: dict[str, Any]) -> Due:
    return Due(DueKind(fields["kind"]), fields["stream"], fields["number"], fields["at"])


def _reservation(fields: dict[str, Any] | None) -> Reservation | None:
    if fields is None:
        return None
    return Reservation(**{**fields, "fingerprints": tuple(fields["fingerprints"])})


def _flat_verdict(result: Sequence[int] | Exception) -> Any:
    match result:
        case StreamConflict():
            return {"kind": "StreamConflict", "told": [result.stream]}
        case RateReached():
            return {"kind": "RateReached", "told": [result.subject, result.free_at]}
        case HeldByOthers():
            return {"kind": "HeldByOthers", "told": [result.subject, list(result.holders)]}
        case Overtaken():
            return {"kind": "Overtaken", "told": [result.name]}
        case KeyAnswered():
            return {"kind": "KeyAnswered", "told": [result.answer]}
        case KeyInProgress():
            return {"kind": "KeyInProgress", "told": [result.seconds_left]}
        case KeyReused() | LeaseLost():
            return {"kind": type(result).__name__, "told": []}
        case Exception():
            reason = getattr(result, "reason", type(result).__name__)
            return {"kind": "StoreUnavailable", "told": [str(result), reason]}
        case _:
            return list(result)


def _refusal(kind: str, told: list[Any]) -> Exception:
    return _REFUSALS[kind](*told)


_REFUSALS: Mapping[str, Callable[..., Exception]] = {
    each.__name__: each
    for each in (
        StreamConflict,
        RateReached,
        Overtaken,
        KeyAnswered,
        KeyInProgress,
        KeyReused,
        LeaseLost,
    )
} | {
    "HeldByOthers": lambda subject, holders: HeldByOthers(subject, frozenset(holders)),
    "StoreUnavailable": StoreUnavailable,
}
