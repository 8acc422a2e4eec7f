"""Load, decide and write: the way of every use case to the log; lost races are decided again, in time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import datetime, timedelta
from time import perf_counter
from typing import Any, TypeVar, Unpack

from ..domain.decider import Decider, Decision
from ..domain.errors import DomainError
from .append_limits import limits_of, over_rate, over_total
from .bulk_lane import BulkWork
from .caller import Caller
from .errors import IdempotencyInProgressError, IdempotencyKeyReuseError, UnavailableError
from .lease_renewal import LeaseRenewal
from .ports.clock import Clock
from .ports.event_store import (
    Append,
    AppendExtras,
    Change,
    HeldByOthers,
    KeyInProgress,
    KeyReused,
    LeaseLost,
    Loaded,
    RateReached,
    Reservation,
    StoreUnavailable,
    StreamConflict,
    TotalReached,
)
from .records import is_id_of, row_of
from .records.read_model import Row
from .store_access import StoreAccess

S = TypeVar("S")
T = TypeVar("T")

# How long a use case may go on losing races before it says 503 (C-14).
CONTENTION_SECONDS = 5.0
_NOTHING = nullcontext()


def change(
    decider: Decider[S], stream: str, loaded: Loaded[S] | None, decision: Decision
) -> Change:
    """Return what a decision changes in the stream that it was decided on."""
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
    """Return what a decision changes in a stream that has no events yet."""
    events = decision.events
    return Change(stream, 0, events, decider.fold(events), decision.conditions)


async def retry_on_conflict(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run `attempt` again while it loses the race for a stream; after 5 s, `UnavailableError`."""
    give_up = asyncio.get_running_loop().time() + CONTENTION_SECONDS
    while True:
        try:
            return await attempt()
        except (StreamConflict, HeldByOthers):
            if asyncio.get_running_loop().time() >= give_up:
                raise UnavailableError from None


class Journal(StoreAccess):
    """
    Loads and changes aggregates, and translates a store's refusals into the domain's words.

    Four refusals pass through: `StreamConflict` and `HeldByOthers` are for `retry_on_conflict`,
    `Overtaken` means that somebody else does the work, and `KeyAnswered` carries the saved answer.
    """

    async def find(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Load an aggregate, or None: the id of another kind is as unknown as one that nobody made."""
        if not is_id_of(decider, stream):
            return None
        try:
            return await self._store.load(decider, stream)
        except StoreUnavailable as failure:
            raise self._out_of_reach(failure) from None

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """
        Load an aggregate that the store's own records name.

        Raises `LookupError` where it has no events: then the store has lost something.
        """
        loaded = await self.find(decider, stream)
        if loaded is None:
            raise LookupError(f"The {decider.kind} {stream} has no events.")
        return loaded

    async def decide_on_recalled(
        self, decider: Decider[S], stream: str, decide: Callable[[Loaded[S] | None], Awaitable[T]]
    ) -> T:
        """
        Decide on a state that may be behind and, where that refuses, on what the store has (D-118).

        For decisions whose append insists on the version that they were made on. `decide` takes None
        where the stream has no events.
        """
        recalled = self._recalled(decider, stream)
        if recalled is None:
            return await decide(await self.find(decider, stream))
        try:
            return await decide(recalled)
        except DomainError:
            loaded = await self.find(decider, stream)
            if loaded is recalled:
                # Nobody else writes this store: there is nothing newer to decide on.
                raise
        return await decide(loaded)

    async def recall(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """
        Take a state from memory, which may be behind, or load it (D-118).

        For kinds that never change once they are there, and for decisions that refuse nothing and
        whose append insists on the version that they were made on.
        """
        return self._recalled(decider, stream) or await self.load(decider, stream)

    def _recalled(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
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
    ) -> None:
        """
        Write changes and what goes with them in one append; it is durable on return.

        The store checks `conditions`, then those of the changes (D-171), then the limits of the
        caller's account: they count every append, and refuse one that is `bounded` (`limits_of`).
        `rows` are those that no aggregate has. Many changes are made ready as bulk `work`.
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
            conditions += limits_of(by, at, bounded=bounded)
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
            await self._store.append(append)
        except RateReached as reached:
            raise over_rate(reached, append) from None
        except TotalReached as reached:
            raise over_total(reached, append) from None
        except StoreUnavailable as failure:
            raise self._out_of_reach(failure) from None
        except (KeyInProgress, KeyReused, LeaseLost) as refusal:
            raise _in_the_domains_words(refusal) from None
        seconds = perf_counter() - began
        for observer in self._observers:
            observer.committed(append, seconds)

    async def check_key(self, reservation: Reservation | None, now: datetime) -> None:
        """Raise what the Idempotency-Key has to say; a known key comes before other refusals."""
        if reservation is None:
            return
        try:
            await self._in_reach(self._store.check_key(reservation, now))
        except (KeyInProgress, KeyReused) as refusal:
            raise _in_the_domains_words(refusal) from None

    def renewing(
        self, by: Caller, clock: Clock, reservation: Reservation | None
    ) -> AbstractContextManager[None]:
        """Keep the lease on an Idempotency-Key while the block runs."""
        if reservation is None:
            return _NOTHING
        return LeaseRenewal(lambda: self._renew(by, clock.now(), reservation))

    async def _renew(self, by: Caller, at: datetime, reservation: Reservation) -> None:
        # A failed renewal is ignored: the completing append finds out whether the lease held.
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
