"""All that the service keeps of one kind of aggregate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen

from ...domain.decider import Decider, Decision, as_the_first
from .read_model import ReadModel, Row

S = TypeVar("S")


def holds_nothing(_state: Any) -> frozenset[str]:
    """Return no subjects: this kind of aggregate never holds one."""
    return frozenset()


@frozen(kw_only=True)
class Record(Generic[S]):
    """
    One kind of aggregate: its decider, and what follows from each of its states.

    Every id of the kind begins with `prefix`, so the id of a PIN opens no template (C-7). `state` is
    the class of its states. `redecide` returns what the command behind an event decides on the state
    before it, which is None for the first event; the audit compares that with the event (D-157). A
    kind with nothing but first events needs none of its own.

    `project` returns the row of a state in the `read_model`; a kind without a list has neither.
    `holds` returns the subjects that the conditions of all decisions so far leave with the
    aggregate. Both are functions of the state alone, so a replay of the log gives the same rows and
    the same holders (D-3).
    """

    decider: Decider[S]
    prefix: str
    state: type[S]
    redecide: Callable[[S | None, Any], Decision] = as_the_first
    read_model: ReadModel[Any] | None = None
    project: Callable[[str, S], Row] | None = None
    holds: Callable[[S], frozenset[str]] = holds_nothing
