"""The decider: the one shape of every aggregate (begin, evolve; decisions beside them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import attrs
from attrs import frozen

from .conditions import Condition
from .event import Event
from .value import value

S = TypeVar("S")


def _nothing_follows(state: Any, event: Any) -> Any:
    raise TypeError(f"{type(event).__name__} cannot follow what {type(state).__name__} began with")


@frozen
class Decider(Generic[S]):
    """
    How one kind of aggregate is rebuilt from its events.

    `begin` makes the first state of a stream's first event, which is one of `beginnings`; `evolve`
    applies an event of `later` to the state before it. A stream without events has no state (D-172).

    Decisions are plain functions in the aggregate's own module. They return a `Decision`, or raise a
    `DomainError`. One that creates takes its command alone. Every other takes the state first, so
    whoever loads a stream without events refuses the command. A command that may come first or later
    (a number is put on an opt list) takes the state or None.
    """

    kind: str
    begin: Callable[[Any], S]
    beginnings: tuple[type[Event], ...]
    evolve: Callable[[S, Any], S] = _nothing_follows
    later: tuple[type[Event], ...] = ()

    @property
    def events(self) -> tuple[type[Event], ...]:
        """All classes of events that the kind knows."""
        return tuple(dict.fromkeys((*self.beginnings, *self.later)))

    def fold(self, events: Iterable[Event], state: S | None = None) -> S:
        """
        Replay events onto `state`; without it, the first of them begins the stream.

        Raises `ValueError` where there is neither.
        """
        for event in events:
            state = self.begin(event) if state is None else self.evolve(state, event)
        if state is None:
            raise ValueError("A stream without events has no state.")
        return state


def begun(state: Callable[..., S], event: Event) -> S:
    """
    Make a state of a first event: of its facts under the same names, and its time as `created_at`.

    Raises `TypeError` for a fact that the state has no field for.
    """
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


def as_the_first(state: object | None, event: Event) -> Decision:
    """Decide an event that only begins streams, and was decided on its command alone: once."""
    return Decision((event,)) if state is None else Decision()
