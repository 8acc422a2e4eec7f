"""For how long an account keeps its PINs, its messages, and the events of both (C-75, C-101)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import attrs
from attrs import frozen

from .decider import Decider, Decision
from .errors import FieldProblem, ValidationFailedError
from .event import Event
from .rate_limit import Duration

# An Idempotency-Key promises its answer for this long (C-10).
SHORTEST_RETENTION = timedelta(days=1)


@frozen(kw_only=True)
class Retention:
    """
    How long what ended is kept; None is for ever.

    Past `pins` and `messages`, what is sealed in the events goes, and so do the rows of lists. Past
    `events`, the events go.
    """

    pins: Duration | None = None
    messages: Duration | None = None
    events: Duration | None = None


@frozen(kw_only=True)
class RetentionSet(Event):
    """The retention of an account was replaced; None is for ever."""

    account_id: str
    pins: Duration | None
    messages: Duration | None
    events: Duration | None


@frozen(kw_only=True)
class AccountRetention:
    """The retention of an account as it stands."""

    account_id: str
    kept: Retention
    created_at: datetime


def set_retention(
    state: AccountRetention | None,
    at: datetime,
    account_id: str,
    wanted: Retention,
    longest_window: timedelta = SHORTEST_RETENTION,
) -> Decision:
    """
    Replace the retention of an account; nothing happens when it has it already.

    `longest_window` is that of its rates and guard rules. Raises `ValidationFailedError`.
    """
    if problems := tuple(_problems(wanted, max(longest_window, SHORTEST_RETENTION))):
        raise ValidationFailedError(problems)
    if wanted == (Retention() if state is None else state.kept):
        return Decision()
    kept = attrs.asdict(wanted, recurse=False)
    return Decision((RetentionSet(at=at, account_id=account_id, **kept),))


def _problems(wanted: Retention, shortest: timedelta) -> Iterator[FieldProblem]:
    """Yield what is wrong with a retention: too short, or events that go before what they are about."""
    for name, kept in attrs.asdict(wanted, recurse=False).items():
        if kept is not None and kept.span < shortest:
            yield FieldProblem(
                name,
                f"must be at least {_spelled(shortest)}, the longest window of a rate or guard rule",
            )
    if wanted.events is not None and any(
        each is None or each.span > wanted.events.span for each in (wanted.pins, wanted.messages)
    ):
        yield FieldProblem("events", "must be at least as long as pins and messages")


def _spelled(span: timedelta) -> str:
    """Return a span in days if it is whole days, else in seconds."""
    days, rest = divmod(span, timedelta(days=1))
    return f"{days}d" if not rest else f"{-(-span // timedelta(seconds=1))}s"


def begin(event: RetentionSet) -> AccountRetention:
    """Return the state after the first event."""
    return AccountRetention(account_id=event.account_id, kept=_kept(event), created_at=event.at)


def evolve(state: AccountRetention, event: RetentionSet) -> AccountRetention:
    """Apply a later event."""
    return attrs.evolve(state, kept=_kept(event))


def _kept(event: RetentionSet) -> Retention:
    return Retention(pins=event.pins, messages=event.messages, events=event.events)


def redecide(state: AccountRetention | None, event: RetentionSet) -> Decision:
    """Repeat the decision that an event records (D-157); the windows of that time are not known."""
    return set_retention(state, event.at, event.account_id, _kept(event))


retention_decider: Decider[AccountRetention] = Decider(
    "retention", begin, (RetentionSet,), evolve, (RetentionSet,)
)
