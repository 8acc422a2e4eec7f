"""Load, decide and write: the way of every use case to the log, with retries of lost races."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime, timedelta
from math import inf
from time import perf_counter
from typing import Any, TypeVar, Unpack

from ..domain.accounts.account_limits import within_stored_bytes
from ..domain.decider import Decider, Decision
from ..domain.errors import DomainError
from .absent_streams import AbsentStreams
from .append_limits import over_rate, over_total
from .caller import Caller
from .concurrency.bulk_lane import BulkWork
from .erased_appends import without_person
from .errors import IdempotencyInProgressError, IdempotencyKeyReuseError, UnavailableError
from .lease_renewal import LeaseRenewal
from .ports.clock import Clock
from .ports.event_store import (
    Append,
    AppendExtras,
    BudgetsMoved,
    Change,
    EventStore,
    HeldByOthers,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Loaded,
    PassMoved,
    PersonGone,
    PersonKnown,
    RateReached,
    Reservation,
    StoreUnavailable,
    StreamConflict,
    TotalReached,
)
from .ports.store_observer import StoreObserver
from .records import is_id_of, row_of
from .records.read_model import Row
from .store_access import StoreAccess

S = TypeVar("S")
T = TypeVar("T")

# A use case that has lost races for this long answers 503 (C-14).
CONTENTION_SECONDS = 5.0
# A state that other nodes may change is read from the cache for this long, for so many streams.
RECENT_SECONDS = 1.0
MOST_LOOKED = 10_000
_NOTHING = nullcontext()
# What an append of another caller made wrong is found anew by the next attempt.
_DECIDE_AGAIN = (StreamConflict, HeldByOthers, PersonKnown, PersonGone, PassMoved, BudgetsMoved)


def change(
    decider: Decider[S], stream: str, loaded: Loaded[S] | None, decision: Decision
) -> Change:
    """Return the change that a decision makes to the stream it was decided on."""
    if loaded is None:
        return beginning(decider, stream, decision)
    return Change(
        stream,
        loaded.version,
        decision.events,
        decider.fold(decision.events, loaded.state),
        decision.conditions,
    )


def beginning(decider: Decider[S], stream: str, decision: Decision) -> Change:
    """Return the change that a decision makes to a stream without events."""
    events = decision.events
    return Change(stream, 0, events, decider.fold(events), decision.conditions)


async def retry_on_conflict(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run `attempt` again while it loses the race for a stream; after 5 s, raise `UnavailableError`."""
    until = inf
    while True:
        try:
            return await attempt()
        except _DECIDE_AGAIN:
            # Nearly every attempt succeeds, so time is read only after the first conflict. The loop's
            # clock would cost a system call, for looking up the loop.
            now = perf_counter()
            until = min(until, now + CONTENTION_SECONDS)
            if now >= until:
                raise UnavailableError from None


class Journal(StoreAccess):
    """
    Loads and changes aggregates, and translates a store's refusals into errors of the domain.

    Eight refusals pass through. `StreamConflict`, `HeldByOthers`, `PersonKnown`, `PersonGone`,
    `PassMoved` and `BudgetsMoved` are for `retry_on_conflict`, the last one once the guard has learnt of
    it. `Overtaken` means that another node does the work. `KeyAnswered` carries the saved answer.
    """

    def __init__(self, store: EventStore, observers: Sequence[StoreObserver] = ()) -> None:
        super().__init__(store, observers)
        self._looked: dict[str, float] = {}
        self.absent = AbsentStreams()

    async def find(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Load an aggregate; return None for an unknown id, or the id of another kind."""
        if not is_id_of(decider, stream):
            return None
        try:
            return await self._store.load(decider, stream)
        except StoreUnavailable as failure:
            raise self._out_of_reach(failure) from None

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """
        Load an aggregate that the store's own records name.

        Raises `LookupError` if it has no events, because the store has then lost data.
        """
        loaded = await self.find(decider, stream)
        if loaded is None:
            raise LookupError(f"The {decider.kind} {stream} has no events.")
        return loaded

    async def decide_on_recalled(
        self, decider: Decider[S], stream: str, decide: Callable[[Loaded[S] | None], Awaitable[T]]
    ) -> T:
        """
        Decide on a cached state; if that refuses, decide on the stored one (D-118).

        Only for decisions whose append requires the version that they were made on. `decide` takes
        None if the stream has no events.
        """
        recalled = self.recalled(decider, stream)
        if recalled is None:
            return await decide(await self.find(decider, stream))
        try:
            return await decide(recalled)
        except DomainError:
            loaded = await self.find(decider, stream)
            if loaded is recalled:
                # No other process writes this store, so the stored state is the same.
                raise
        return await decide(loaded)

    async def recall(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """
        Return a state from the cache, which may be old, or load it (D-118).

        Only for facts that never change, such as the owner of a channel account, and for decisions that
        refuse nothing and whose append requires the version that they were made on.
        """
        return self.recalled(decider, stream) or await self.load(decider, stream)

    async def recall_if_any(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Return a state as `recall` does; None for an unknown id, or the id of another kind."""
        return self.recalled(decider, stream) or await self.find(decider, stream)

    async def recall_recent(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """
        Return a state that was current within the last second, from the cache or loaded (D-217).

        It is for settings that other nodes may change, and that every send reads. While the store is
        out of reach, the cached state is used on.
        """
        now = perf_counter()
        if now - self._looked.get(stream, -inf) < RECENT_SECONDS:
            return await self.recall(decider, stream)
        if len(self._looked) >= MOST_LOOKED:
            self._looked.clear()
        # Concurrent calls go on with the cached state, so that one call loads it for all.
        self._looked[stream] = now
        try:
            return await self.load(decider, stream)
        except UnavailableError:
            recalled = self.recalled(decider, stream)
            if recalled is None:
                raise
            return recalled

    def recalled(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Return a state from the cache, which may be old; None if it is not cached (D-118)."""
        return self._store.recall(stream) if is_id_of(decider, stream) else None

    async def write(
        self,
        by: Caller,
        at: datetime,
        *changes: Change,
        rows: tuple[Row, ...] = (),
        work: BulkWork | None = None,
        bounded: bool = False,
        **extras: Unpack[AppendExtras],
    ) -> Sequence[int]:
        """
        Write all in one append, durable on return; return the log positions of the events.

        The store checks `conditions`, then those of the changes (D-171), then the limits of the
        caller's account. Its stored bytes of a day count every append, and refuse only `bounded`
        ones: an outcome is always recorded (D-138).
        `rows` are those without an aggregate. Many changes are prepared as bulk `work`.
        """
        conditions = extras.get("conditions", ())
        shown = []
        for each in changes:
            conditions += each.conditions
            row = row_of(each.stream, each.state)
            if row is not None:
                shown.append(row)
            if work is not None:
                await work.pause()
        if by.stored_bytes_per_day is not None:
            conditions += (
                within_stored_bytes(by.account_id, by.stored_bytes_per_day, at, bounded=bounded),
            )
        extras["conditions"] = conditions
        append = Append(
            at=at,
            actor=by.actor,
            request_id=by.request_id,
            changes=changes,
            rows=(*shown, *rows),
            **extras,
        )
        began = perf_counter()
        try:
            positions = await self._append(append)
        except RateReached as reached:
            raise over_rate(reached, append) from None
        except TotalReached as reached:
            raise over_total(reached, append) from None
        except StoreUnavailable as failure:
            raise self._out_of_reach(failure) from None
        except (KeyInProgress, KeyReused, LeaseLost) as refusal:
            raise _in_the_domains_words(refusal) from None
        if append.new_people:
            self.remembered.learn(append.new_people)
        seconds = perf_counter() - began
        for observer in self._observers:
            observer.committed(append, seconds)
        return positions

    async def _append(self, append: Append) -> Sequence[int]:
        try:
            return await self._store.append(append)
        except StreamConflict as conflict:
            self.absent.forget(conflict.stream)
            raise
        except PersonKnown as known:
            self.remembered.learn(known.people)
            raise
        except PassMoved as moved:
            self.remembered.learn_verified(moved.person_id, moved.verified_at)
            raise
        except PersonGone as gone:
            self.remembered.forget(gone.person_id)
            if gone.person_id in append.erased or not append.only_continues:
                raise
            # What happened to an erased person's message is still recorded (D-346).
            return await self._append(without_person(append, gone.person_id))

    async def check_key(self, reservation: Reservation | None, now: datetime) -> None:
        """Raise the refusal of an Idempotency-Key; a known key precedes other refusals."""
        if reservation is None:
            return
        try:
            await self._in_reach(self._store.check_key(reservation, now))
        except (KeyInProgress, KeyReused) as refusal:
            raise _in_the_domains_words(refusal) from None

    def renewing(
        self, by: Caller, clock: Clock, reservation: Reservation | None
    ) -> AbstractContextManager[None]:
        """Renew the lease on an Idempotency-Key while the block runs."""
        if reservation is None:
            return _NOTHING
        return LeaseRenewal(lambda: self._renew(by, clock.now(), reservation))

    async def _renew(self, by: Caller, at: datetime, reservation: Reservation) -> None:
        # A failed renewal is ignored: the completing append checks whether the lease held.
        with suppress(StoreUnavailable, LeaseLost):
            await self._store.append(
                Append(at=at, actor=by.actor, request_id=by.request_id, renewing=reservation)
            )


def _in_the_domains_words(refusal: Any) -> Exception:
    match refusal:
        case KeyInProgress():
            return IdempotencyInProgressError(timedelta(seconds=refusal.seconds_left))
        case KeyReused():
            return IdempotencyKeyReuseError()
        case _:
            return UnavailableError()
