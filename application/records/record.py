"""The record of a kind of aggregate: everything the service stores for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

from ...domain.decider import Decider, Decision, as_the_first
from ...domain.event import Event
from .read_model import ReadModel, Row

S = TypeVar("S")


def holds_nothing(_state: Any) -> frozenset[str]:
    """Return no subjects: this kind of aggregate never holds one."""
    return frozenset()


def account_of(_stream: str, state: Any) -> str | None:
    """Return the account that a state names."""
    account_id: str | None = getattr(state, "account_id", None)
    return account_id


def person_of(state: Any, _event: Event) -> str | None:
    """Return the person whom a state names."""
    person_id: str | None = getattr(state, "person_id", None)
    return person_id


@frozen(kw_only=True)
class Record(Generic[S]):
    """
    One kind of aggregate: its decider, and the data that follow from each of its states.

    Every id of the kind begins with `prefix`, so the id of a PIN never finds a template (C-7). `state`
    is the class of its states. `redecide` repeats the decision that an event records, on the state
    before it, which is None for the first event. The audit compares the result with the event (D-157).
    A kind with only first events needs no `redecide` of its own.

    `project` returns the row of a state in the `read_model`; a kind without a list has neither. `holds`
    returns the subjects that an aggregate in this state holds after the conditions of all its
    decisions. Both are functions of the state alone, so a replay of the log restores the same rows and
    the same holders (D-3).

    `account` and `person` say whose events they are; what is personal in an event is sealed under the
    key of its person, else of its account, else of its stream (C-73, D-358). Both are functions of the
    stream and the state after the event, because only a stream's first event names them.
    """

    decider: Decider[S]
    prefix: str
    state: type[S]
    redecide: Callable[[S | None, Any], Decision] = as_the_first
    read_model: ReadModel[Any] | None = None
    project: Callable[[str, S], Row] | None = None
    holds: Callable[[S], frozenset[str]] = holds_nothing
    account: Callable[[str, S], str | None] = account_of
    person: Callable[[S, Any], str | None] = person_of
