"""The decider: the one shape of every aggregate (initial state, evolve; decisions beside them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import attrs
from attrs import field, frozen

from .conditions import Condition
from .event import Event
from .value import value

S = TypeVar("S")


@frozen
class Decider(Generic[S]):
    """
    How one kind of aggregate is rebuilt from its events.

    `kind` is its name, `initial` the state before the first event, `evolve` applies one event,
    `events` are the classes that it knows, and `beginnings` those that a stream can begin with: the
    first of `events`, unless there are others. Decisions are plain functions in the aggregate's own
    module: state and command in, `Decision` out, or a `DomainError`.
    """

    kind: str
    initial: S
    evolve: Callable[[S, Any], S]
    events: tuple[type[Event], ...]
    beginnings: tuple[type[Event], ...] = field()

    @beginnings.default
    def _the_first(self) -> tuple[type[Event], ...]:
        return self.events[:1]

    def fold(self, events: Iterable[Event], state: S | None = None) -> S:
        """Replay events, onto `state` when one is given."""
        current = self.initial if state is None else state
        for event in events:
            current = self.evolve(current, event)
        return current


def begun(initial: S, event: Event) -> S:
    """
    Apply a first event whose facts the state keeps under the same names, and its time as `created_at`.

    Raises `TypeError` for a fact that the state has no field for.
    """
    state: Callable[..., S] = type(initial)
    facts = attrs.asdict(event, recurse=False)
    return state(created_at=facts.pop("at"), **facts)


def changed(state: S, **facts: object) -> S:
    """
    Return what `attrs.evolve` returns for a state without slots and validators, for a fifth of its work.

    The state has no cached properties either: they would be taken over as they were. Raises `TypeError`
    for a fact that it has no field for.
    """
    before = vars(state)
    now = {**before, **facts}
    if len(now) != len(before):
        raise TypeError(f"{type(state).__name__} has no fields {facts.keys() - before.keys()}")
    after = object.__new__(type(state))
    object.__setattr__(after, "__dict__", now)
    return after


@value
class Decision:
    """What happened (events of one stream, in order) and what must hold for it to have happened."""

    events: tuple[Event, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def followed_by(self, later: Decision) -> Decision:
        """Return both decisions as one, where `later` was decided on what this one leads to."""
        return Decision((*self.events, *later.events), (*self.conditions, *later.conditions))


def as_the_first(state: S, event: Event, initial: S) -> Decision:
    """Decide an event that nothing but the beginning of a stream can be: once, on the initial state."""
    return Decision((event,)) if state == initial else Decision()
