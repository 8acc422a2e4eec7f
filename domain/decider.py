"""The decider: the one shape of every aggregate (initial state, evolve; decisions beside them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from attrs import frozen

from .conditions import Condition
from .event import Event

S = TypeVar("S")


@frozen
class Decider(Generic[S]):
    """
    How one kind of aggregate is rebuilt from its events.

    `kind` is its name, `initial` the state before the first event, `evolve` applies one event, and
    `events` are the classes that it knows, the one that begins every stream first. Decisions are
    plain functions in the aggregate's own module: state and command in, `Decision` out, or a
    `DomainError`.
    """

    kind: str
    initial: S
    evolve: Callable[[S, Any], S]
    events: tuple[type[Event], ...]

    def fold(self, events: Iterable[Event], state: S | None = None) -> S:
        """Replay events, onto `state` when one is given."""
        current = self.initial if state is None else state
        for event in events:
            current = self.evolve(current, event)
        return current


@frozen
class Decision:
    """What happened (events of one stream, in order) and what must hold for it to have happened."""

    events: tuple[Event, ...] = ()
    conditions: tuple[Condition, ...] = ()
