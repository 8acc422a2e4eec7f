"""The history of a store's log: the keys that sign its heads, and the origin of those heads."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import frozen

from ..decider import Decider, Decision
from .events import LogHistoryEvent, LogKeyAdded, LogKeyRetired, StoreRestored


@frozen
class LogKey:
    """A live key: the verifier keys of heads and of their times, and since when it signs."""

    log_key: str
    clock_key: str
    since: datetime


@frozen(kw_only=True)
class LogHistory:
    """
    The state of a store's log.

    `keys` are the live keys, the newest first; `retired` are the log keys of earlier ones. `number` ends
    the origin of its heads: 1 until the first restore.
    """

    keys: tuple[LogKey, ...] = ()
    retired: frozenset[str] = frozenset()
    number: int = 1
    created_at: datetime


def add_key(history: LogHistory | None, added: LogKeyAdded) -> Decision:
    """Let another key sign; nothing happens if it does already, or was retired."""
    if history is not None and (added.log_key in history.retired or _lives(history, added.log_key)):
        return Decision()
    return Decision((added,))


def retire_key(history: LogHistory | None, retired: LogKeyRetired) -> Decision:
    """
    Let a key sign no more; nothing happens if it does not sign.

    Raises `ValueError` for the only key, without which nothing could be signed any more.
    """
    if history is None or not _lives(history, retired.log_key):
        return Decision()
    if len(history.keys) == 1:
        raise ValueError("the only key of a log cannot be retired: add another one first")
    return Decision((retired,))


def declare_restored(history: LogHistory | None, restored: StoreRestored) -> Decision:
    """Declare what a restore lost. Raises `ValueError` for a number that an earlier origin may have."""
    if restored.number <= (1 if history is None else history.number):
        raise ValueError("the number of the next origin must be above those before it")
    return Decision((restored,))


def begin(event: LogHistoryEvent) -> LogHistory:
    """Return the state after the first event."""
    return evolve(LogHistory(created_at=event.at), event)


def evolve(history: LogHistory, event: LogHistoryEvent) -> LogHistory:
    """Apply a later event."""
    match event:
        case LogKeyAdded():
            added = LogKey(event.log_key, event.clock_key, event.at)
            return attrs.evolve(history, keys=(added, *history.keys))
        case LogKeyRetired():
            live = tuple(each for each in history.keys if each.log_key != event.log_key)
            retired = history.retired | {event.log_key}
            return attrs.evolve(history, keys=live, retired=retired)
        case StoreRestored():
            return attrs.evolve(history, number=event.number)
        case _:
            assert_never(event)


def redecide(history: LogHistory | None, event: LogHistoryEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    match event:
        case LogKeyAdded():
            return add_key(history, event)
        case LogKeyRetired():
            return retire_key(history, event)
        case StoreRestored():
            return declare_restored(history, event)
        case _:
            assert_never(event)


def _lives(history: LogHistory | None, log_key: str) -> bool:
    return history is not None and any(each.log_key == log_key for each in history.keys)


# A key that was never added cannot be retired, so no history begins with that.
log_history_decider: Decider[LogHistory] = Decider(
    "log_history", begin, (LogKeyAdded, StoreRestored), evolve, get_args(LogHistoryEvent)
)
