"""
Settling: which appends of a batch hold, and what they write. Pure, and the same for every store.

A store asks what a batch needs to know (`Questions`), reads it inside its write transaction
(`Facts`), and settles the appends one after the other: each sees what those before it wrote, and
one that is refused leaves no trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import assert_never

from attrs import define, evolve, field, frozen

from ...application.ports.event_store import (
    LEASE_SECONDS,
    REPLAY_SECONDS,
    Append,
    HeldByOthers,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Overtaken,
    RateReached,
    Reservation,
    StoreRefusal,
    StreamConflict,
)
from ...domain.conditions import Hold, Release, SoleHolder, Unchanged, WithinRate

_REPLAY = timedelta(seconds=REPLAY_SECONDS)


@frozen
class KeyRecord:
    """An Idempotency-Key as stored; `lease_until` in seconds of real time, `taken_at` service time."""

    fingerprint: str
    owner: str
    lease_until: float
    taken_at: datetime
    answer: bytes | None = None


@define
class Uses:
    """The uses of one subject: the number of the newest, and the times that may matter."""

    last: int = 0
    times: dict[int, datetime] = field(factory=dict)


@define
class Questions:
    """
    What a batch needs to know.

    `uses` asks, per subject and ceiling, for the times of the uses that the next `n` uses will be
    measured against: numbers last + 1 - count to last + n - count. `n` counts the
    subject's uses in the batch under every ceiling.
    """

    streams: set[str] = field(factory=set)
    holders: set[str] = field(factory=set)
    keys: set[str] = field(factory=set)
    positions: set[str] = field(factory=set)
    uses: dict[tuple[str, int], int] = field(factory=dict)


@define
class Facts:
    """What the store knows, as read inside the transaction; settling keeps it current."""

    versions: dict[str, int] = field(factory=dict)
    holders: dict[str, set[str]] = field(factory=dict)
    keys: dict[str, KeyRecord] = field(factory=dict)
    positions: dict[str, int] = field(factory=dict)
    uses: dict[str, Uses] = field(factory=dict)


@define
class Writes:
    """What the appends that hold change beside events, rows and due rows."""

    held: dict[tuple[str, str], bool] = field(factory=dict)
    keys: dict[str, KeyRecord] = field(factory=dict)
    positions: dict[str, int] = field(factory=dict)
    uses: dict[tuple[str, int], datetime] = field(factory=dict)


def questions(appends: Iterable[Append]) -> Questions:
    """Collect what settling these appends will look at."""
    asked = Questions()
    hits: Counter[str] = Counter()
    for append in appends:
        asked.streams.update(change.stream for change in append.changes)
        asked.positions.update(advance.name for advance in append.advances)
        for reservation in (append.taking, append.completing, append.renewing):
            if reservation is not None:
                asked.keys.add(reservation.scope)
        for condition in append.conditions:
            match condition:
                case WithinRate(subject, rate):
                    hits[subject] += 1
                    asked.uses[subject, rate.count] = 0
                case SoleHolder(subject, _, _) | Hold(subject, _) | Release(subject, _):
                    asked.holders.add(subject)
                case Unchanged(stream, _):
                    asked.streams.add(stream)
                case _:
                    assert_never(condition)
    asked.uses = {(subject, count): hits[subject] for subject, count in asked.uses}
    return asked


def settle(
    appends: Sequence[Append], facts: Facts, real_now: float
) -> tuple[list[StoreRefusal | None], Writes]:
    """Decide each append in turn: None where it holds, else why not; and what those that hold write."""
    writes = Writes()
    verdicts: list[StoreRefusal | None] = []
    for append in appends:
        try:
            _check(append, facts, real_now)
        except StoreRefusal as refusal:
            verdicts.append(refusal)
        else:
            _take_effect(append, facts, real_now, writes)
            verdicts.append(None)
    return verdicts, writes


def key_refusal(
    record: KeyRecord | None, reservation: Reservation, now: datetime, real_now: float
) -> StoreRefusal | None:
    """Say why a key cannot be taken, or None when it is free (C-10)."""
    if record is None:
        return None
    # The lease ends by real time alone: a service clock that was moved frees no running request.
    if record.answer is None and record.lease_until <= real_now:
        return None
    if record.answer is not None and now - record.taken_at >= _REPLAY:
        return None
    if record.fingerprint not in reservation.fingerprints:
        return KeyReused()
    if record.answer is None:
        return KeyInProgress(record.lease_until - real_now)
    return KeyAnswered(record.answer)


def _check(append: Append, facts: Facts, real_now: float) -> None:
    if append.taking is not None:
        record = facts.keys.get(append.taking.scope)
        refusal = key_refusal(record, append.taking, append.at, real_now)
        if refusal is not None:
            raise refusal
    for mine in (append.completing, append.renewing):
        if mine is not None:
            record = facts.keys.get(mine.scope)
            if record is None or record.owner != mine.owner or record.answer is not None:
                raise LeaseLost
    for change in append.changes:
        if facts.versions.get(change.stream, 0) != change.expected_version:
            raise StreamConflict(change.stream)
    counted: dict[str, list[datetime]] = {}
    for condition in append.conditions:
        match condition:
            case WithinRate(subject, _, at):
                earlier = counted.setdefault(subject, [])
                _check_rate(condition, facts, earlier)
                if condition.counted:
                    earlier.append(at)
            case SoleHolder(subject, holder, retiring):
                # Most subjects are held by nobody, or by who is to hold them.
                if holders := facts.holders.get(subject):
                    others = holders - {holder}
                    if others - retiring:
                        raise HeldByOthers(subject, frozenset(others))
            case Unchanged(stream, version):
                if facts.versions.get(stream, 0) != version:
                    raise StreamConflict(stream)
            case Hold() | Release():
                pass
            case _:
                assert_never(condition)
    for advance in append.advances:
        if facts.positions.get(advance.name, 0) != advance.since:
            raise Overtaken(advance.name)


def _check_rate(condition: WithinRate, facts: Facts, earlier: Sequence[datetime]) -> None:
    # `earlier` are the uses that this append has counted already.
    uses = facts.uses.get(condition.subject, Uses())
    number = len(earlier) + 1 - condition.rate.count
    measured = earlier[number - 1] if number > 0 else uses.times.get(uses.last + number)
    if measured is not None and condition.at - measured < condition.rate.window:
        raise RateReached(condition.subject, measured + condition.rate.window)


def _take_effect(append: Append, facts: Facts, real_now: float, writes: Writes) -> None:
    for change in append.changes:
        facts.versions[change.stream] = change.expected_version + len(change.events)
    for condition in append.conditions:
        match condition:
            case WithinRate(subject, _, at, counted=True):
                uses = facts.uses.setdefault(subject, Uses())
                uses.last += 1
                uses.times[uses.last] = at
                writes.uses[subject, uses.last] = at
            case SoleHolder(subject, holder, _):
                for other in facts.holders.get(subject, ()):
                    writes.held[subject, other] = False
                facts.holders[subject] = {holder}
                writes.held[subject, holder] = True
            case Hold(subject, holder):
                facts.holders.setdefault(subject, set()).add(holder)
                writes.held[subject, holder] = True
            case Release(subject, holder):
                facts.holders.get(subject, set()).discard(holder)
                writes.held[subject, holder] = False
            case WithinRate() | Unchanged():
                pass
            case _:
                assert_never(condition)
    for advance in append.advances:
        facts.positions[advance.name] = writes.positions[advance.name] = advance.to
    record = _key_after(append, facts, real_now)
    if record is not None:
        scope, kept = record
        facts.keys[scope] = writes.keys[scope] = kept


def _key_after(append: Append, facts: Facts, real_now: float) -> tuple[str, KeyRecord] | None:
    if append.taking is not None:
        taken = KeyRecord(
            fingerprint=append.taking.fingerprints[0],
            owner=append.taking.owner,
            lease_until=real_now + LEASE_SECONDS,
            taken_at=append.at,
        )
        return append.taking.scope, taken
    if append.completing is not None:
        scope = append.completing.scope
        return scope, evolve(facts.keys[scope], answer=append.answer)
    if append.renewing is not None:
        scope = append.renewing.scope
        return scope, evolve(facts.keys[scope], lease_until=real_now + LEASE_SECONDS)
    return None
