"""The decider: the shape of every aggregate (begin and evolve, with decisions beside them)."""

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

    `begin` returns the first state from a stream's first event, which is one of `beginnings`. `evolve`
    applies an event of `later` to the state before it. A stream without events has no state (D-172).

    Decisions are plain functions in the aggregate's own module. They return a `Decision`, or raise a
    `DomainError`. A decision that creates takes its command alone. Every other takes the state first;
    its caller refuses the command if the stream has no events. A command that can come first or later
    (put a number on an opt list) takes the state or None.
    """

    kind: str
    begin: Callable[[Any], S]
    beginnings: tuple[type[Event], ...]
    evolve: Callable[[S, Any], S] = _nothing_follows
    later: tuple[type[Event], ...] = ()

    @property
    def events(self) -> tuple[type[Event], ...]:
        """All event classes of the kind."""
        return tuple(dict.fromkeys((*self.beginnings, *self.later)))

    def fold(self, events: Iterable[Event], state: S | None = None) -> S:
        """
        Replay events onto `state`; without a state, the first event begins the stream.

        Raises `ValueError` if there is neither a state nor an event.
        """
        for event in events:
            state = self.begin(event) if state is None else self.evolve(state, event)
        if state is None:
            raise ValueError("A stream without events has no state.")
        return state


def begun(state: Callable[..., S], event: Event) -> S:
    """
    Return a state with the fields of a first event, and its time as `created_at`.

    Raises `TypeError` for an event field that the state lacks.
    """
    facts = attrs.asdict(event, recurse=False)
    return state(created_at=facts.pop("at"), **facts)


def changed(state: S, **facts: object) -> S:
    """
    Return a copy with new facts, like `attrs.evolve` but in a fifth of its time.

    The state must have no slots, no validators and no cached properties, whose old values the copy
    would keep. Raises `TypeError` for a fact that is no field of the state.
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
    """The events of one stream, in order, and the conditions under which they may be appended."""

    events: tuple[Event, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def followed_by(self, later: Decision) -> Decision:
        """Return both decisions as one; `later` was decided on the state after this decision."""
        return Decision((*self.events, *later.events), (*self.conditions, *later.conditions))


def as_the_first(state: object | None, event: Event) -> Decision:
    """Repeat the decision of an event that can only begin a stream."""
    return Decision((event,)) if state is None else Decision()
