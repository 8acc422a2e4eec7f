"""Which keys begin and end to sign when a node brings its keys: in a rotation the new one and the old one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from ..decider import Decision
from .events import LogKeyAdded, LogKeyRetired
from .history import LogHistory, add_key, log_history_decider, retire_key

# The log's key and its clock's.
KeyPair = tuple[str, str]


def settle_keys(history: LogHistory | None, at: datetime, given: Sequence[KeyPair]) -> Decision:
    """
    Add the newest key that a node brings, and retire older live keys that it does not bring.

    `given` has the newest key first. Its other key is added only to a log without any, so that a node with
    the keys in a wrong order makes no old key the newest. A node that still brings the old key alone
    retires nothing: the new key was added after it.
    """
    decision = Decision()
    for log_key, clock_key in _new(history, given):
        added = LogKeyAdded(at=at, log_key=log_key, clock_key=clock_key)
        step = add_key(history, added)
        decision, history = decision.followed_by(step), _after(history, step)
    for log_key in _left(history, given):
        step = retire_key(history, LogKeyRetired(at=at, log_key=log_key))
        decision, history = decision.followed_by(step), _after(history, step)
    return decision


def _new(history: LogHistory | None, given: Sequence[KeyPair]) -> Sequence[KeyPair]:
    return given[:1] if history is not None and history.keys else given[::-1]


def _left(history: LogHistory | None, given: Sequence[KeyPair]) -> Iterator[str]:
    """Yield the live keys that are older than the newest one given, and are not given."""
    brought = {log_key for log_key, _ in given}
    live = [each.log_key for each in (history.keys if history is not None else ())]
    newest = next((at for at, each in enumerate(live) if each in brought), len(live))
    return (each for each in live[newest + 1 :] if each not in brought)


def _after(history: LogHistory | None, step: Decision) -> LogHistory | None:
    return log_history_decider.fold(step.events, history) if step.events else history
