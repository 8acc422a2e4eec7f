"""The events of one thing, and the state that they lead to, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from ..ports.event_store import Recorded
from ..records import record_of


@frozen
class Story:
    """
    The events of one or several streams, in the order of the log.

    A step is the number of an event in this order, from 1. In a story of one stream, it is the event's
    version. `names` are those of who acted and of the channel accounts that were asked, by their ids.
    """

    events: tuple[Recorded, ...]
    names: Mapping[str, str]

    @property
    def last(self) -> int:
        """The newest step."""
        return len(self.events)

    def states(self, *steps: int) -> Sequence[Mapping[str, Any]]:
        """
        Replay the streams once; return, for each step, the state of each stream that had begun, by its id.

        The steps ascend.
        """
        states: dict[str, Any] = {}
        found: list[Mapping[str, Any]] = []
        done = 0
        for step in steps:
            for each in self.events[done:step]:
                decider = record_of(each.event).decider
                states[each.stream] = decider.fold((each.event,), states.get(each.stream))
            done = step
            found.append(dict(states))
        return found
