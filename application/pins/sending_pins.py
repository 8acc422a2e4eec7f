"""The common part of issue and resend: from the recorded code to the recorded outcome (design section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from attrs import frozen

from ...domain import pin as pins
from ...domain.channel import ChannelOutcome, any_accepted, any_may_arrive
from ...domain.conditions import Condition, Unchanged
from ...domain.decider import Decision
from ...domain.errors import DomainError
from ...domain.pin import DispatchFailedError, Pin, PinStatus, pin_decider
from ...domain.pin_template import TemplateChannel
from ...domain.pin_template.policy import PinPolicy
from ..caller import Caller
from ..concurrency.keyed_queue import KeyedQueue
from ..idempotency import Idempotency
from ..journal import CONTENTION_SECONDS, Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Change, Due, DueKind, HeldByOthers
from ..ports.redacted import Redacted
from .dispatching import Dispatching
from .provider_ids import NONE_EARLY, claimed

# A dispatch takes at most the provider's time-out (20 s) and two appends. An
# older one is orphaned (C-15: recovered within 60 s).
ORPHANED_AFTER = timedelta(seconds=30)


@frozen(kw_only=True)
class SentPin:
    """A PIN after a create or a resend (SPEC 2.7)."""

    pin_id: str
    status: PinStatus
    expires_at: datetime
    attempts_remaining: int
    channels: tuple[ChannelOutcome, ...]


class OutgoingCode(Redacted, frozen=True, kw_only=True):
    """One code during its dispatch; do not keep it longer than the send."""

    pin_id: str
    template_id: str
    issue: int
    person_id: str
    destination: str
    entries: Sequence[TemplateChannel]
    code: str
    params: Mapping[str, str]
    ttl_seconds: int
    due: Due
    test: bool = False


def ttl_of(policy: PinPolicy) -> int:
    """Return the seconds after which a code need not be delivered: it is not valid any more."""
    lives_for: timedelta = policy.pin_time_to_live.span
    return ceil(lives_for.total_seconds())


def orphan_due_row(pin_id: str, issue: int, clock: Clock) -> Due:
    """Return the due row that recovers this dispatch if its process dies (C-15)."""
    return Due(DueKind.ORPHANED_DISPATCH, pin_id, issue, clock.real() + ORPHANED_AFTER)


class SendingPins:
    """Dispatches a code whose `PinIssued` or `PinResent` is durable, and records the outcome."""

    def __init__(self, journal: Journal, dispatching: Dispatching, clock: Clock) -> None:
        self._journal = journal
        self._dispatching = dispatching
        self._clock = clock
        self._queue = KeyedQueue(patience=CONTENTION_SECONDS)

    async def send(
        self, by: Caller, outgoing: OutgoingCode, idempotency: Idempotency | None
    ) -> SentPin:
        """
        Send the code, and record its outcomes and the answer in one append.

        Raises `DispatchFailedError` when no channel is known to have accepted the code (C-68). Once
        the dispatch began, every answer is saved for replays, even an unexpected error (C-10).
        """
        reservation = idempotency.reservation if idempotency else None
        with self._journal.renewing(by, self._clock, reservation):
            try:
                outcomes = await self._dispatching.dispatch(
                    outgoing.pin_id,
                    outgoing.issue,
                    outgoing.destination,
                    outgoing.entries,
                    outgoing.code,
                    outgoing.params,
                    outgoing.ttl_seconds,
                    test=outgoing.test,
                )
                return await self._record(by, outgoing, outcomes, idempotency)
            except DomainError:
                raise
            except Exception as unexpected:
                if idempotency:
                    await idempotency.save(self._journal, by, self._clock, unexpected)
                raise

    async def _record(
        self,
        by: Caller,
        outgoing: OutgoingCode,
        outcomes: tuple[ChannelOutcome, ...],
        idempotency: Idempotency | None,
    ) -> SentPin:
        live = pins.live_code(outgoing.template_id, outgoing.person_id)
        others: dict[str, frozenset[str]] = {}
        record = partial(self._record_once, by, outgoing, outcomes, live, others, idempotency)
        result = await self._queue.take(live, partial(retry_on_conflict, record))
        if isinstance(result, DispatchFailedError):
            raise result
        return result

    async def _record_once(
        self,
        by: Caller,
        outgoing: OutgoingCode,
        outcomes: tuple[ChannelOutcome, ...],
        live: str,
        others: dict[str, frozenset[str]],
        idempotency: Idempotency | None,
    ) -> SentPin | DispatchFailedError:
        now = self._clock.now()
        pin_id = outgoing.pin_id
        retiring: frozenset[str] = frozenset()
        recorded, early = outcomes, NONE_EARLY
        superseded: Sequence[Change] = ()
        unchanged: tuple[Condition, ...] = ()
        if others:
            retiring = others.get(live, retiring)
            recorded, early = await claimed(self._journal, pin_id, outcomes, others, now)
        command = pins.RecordDispatch(
            at=now,
            pin_id=pin_id,
            issue=outgoing.issue,
            outcomes=recorded,
            retiring=retiring,
            early=early.receipts,
        )
        loaded = await self._journal.recall(pin_decider, pin_id)
        decision = pins.record_dispatch(loaded.state, command)
        if retiring and pins.takes_live_code(loaded.state, command):
            superseded, unchanged = await self._superseded(retiring, pin_id, now)
        mine = change(pin_decider, pin_id, loaded, decision)
        result = _result(pin_id, mine.state, outcomes, now)
        try:
            await self._journal.write(
                by,
                now,
                mine,
                *superseded,
                *early.changes,
                conditions=unchanged,
                done=(outgoing.due, *early.done),
                dropping=early.dropping,
                completing=idempotency.reservation if idempotency else None,
                answer=idempotency.present(result) if idempotency else None,
            )
        except HeldByOthers as held:
            # Other PINs are live for this destination, or another holder has the provider's id. The
            # next attempt passes them. If this PIN has ended by then, it retires nobody (D-350).
            others[held.subject] = held.holders
            raise
        return result

    async def _superseded(
        self, retiring: frozenset[str], by_pin: str, now: datetime
    ) -> tuple[Sequence[Change], tuple[Condition, ...]]:
        changes: list[Change] = []
        unchanged: list[Condition] = []
        for pin_id in sorted(retiring):
            loaded = await self._journal.load(pin_decider, pin_id)
            decision: Decision = pins.supersede(loaded.state, pins.SupersedePin(at=now, by=by_pin))
            if decision.events:
                changes.append(change(pin_decider, pin_id, loaded, decision))
            else:
                # Another node may record its acceptance now, which makes it live again.
                unchanged.append(Unchanged(pin_id, loaded.version))
        return changes, tuple(unchanged)


def _result(
    pin_id: str, pin: Pin, outcomes: tuple[ChannelOutcome, ...], now: datetime
) -> SentPin | DispatchFailedError:
    if not any_accepted(outcomes):
        return DispatchFailedError(outcomes, pin_id if any_may_arrive(outcomes) else None)
    return SentPin(
        pin_id=pin_id,
        status=pin.status_at(now),
        expires_at=pin.expires_at,
        attempts_remaining=pin.attempts_remaining,
        channels=outcomes,
    )
