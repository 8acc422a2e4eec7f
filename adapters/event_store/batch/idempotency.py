"""
Check Idempotency-Keys in an append: a key is free, taken, or answered already (C-10).

A store also calls `key_refusal` before any work, so that most replays need no append.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from attrs import evolve, frozen

from ....application.ports.event_store import (
    LEASE_SECONDS,
    REPLAY_SECONDS,
    Append,
    KeyAnswered,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Reservation,
    StoreRefusal,
)

_REPLAY = timedelta(seconds=REPLAY_SECONDS)


@frozen
class KeyRecord:
    """
    A stored Idempotency-Key; `lease_until` is in seconds of real time, `taken_at` in service time.

    `person_id` is the person of the call, whose erasure ends the answer.
    """

    fingerprint: str
    owner: str
    lease_until: float
    taken_at: datetime
    answer: bytes | None = None
    person_id: str | None = None


def key_refusal(
    record: KeyRecord | None, reservation: Reservation, now: datetime, real_now: float
) -> StoreRefusal | None:
    """Return why a key cannot be taken; None if it is free (C-10)."""
    if record is None:
        return None
    # A lease ends by real time only: a moved service clock must not free the key of a running request.
    if record.answer is None and record.lease_until <= real_now:
        return None
    if record.answer is not None and now - record.taken_at >= _REPLAY:
        return None
    if record.fingerprint not in reservation.fingerprints:
        return KeyReused()
    if record.answer is None:
        return KeyInProgress(record.lease_until - real_now)
    return KeyAnswered(record.answer)


def check_key(append: Append, keys: Mapping[str, KeyRecord], real_now: float) -> None:
    """Raise the `StoreRefusal` of an append that takes, completes or renews a key which is not its own."""
    if append.taking is not None:
        record = keys.get(append.taking.scope)
        refusal = key_refusal(record, append.taking, append.at, real_now)
        if refusal is not None:
            raise refusal
    for mine in (append.completing, append.renewing):
        if mine is not None:
            record = keys.get(mine.scope)
            if record is None or record.owner != mine.owner or record.answer is not None:
                raise LeaseLost


def key_after(
    append: Append, keys: Mapping[str, KeyRecord], real_now: float
) -> tuple[str, KeyRecord] | None:
    """Return the scope and the new record of the key that an append changes; None if it changes none."""
    if append.taking is not None:
        taken = KeyRecord(
            fingerprint=append.taking.fingerprints[0],
            owner=append.taking.owner,
            lease_until=real_now + LEASE_SECONDS,
            taken_at=append.at,
            person_id=append.taking.person_id,
        )
        return append.taking.scope, taken
    if append.completing is not None:
        scope = append.completing.scope
        return scope, evolve(keys[scope], answer=append.answer)
    if append.renewing is not None:
        scope = append.renewing.scope
        return scope, evolve(keys[scope], lease_until=real_now + LEASE_SECONDS)
    return None
