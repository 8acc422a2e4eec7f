"""The states of recently used streams; they are current if only this process writes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ....application.ports.event_store import Change, Loaded

CAPACITY = 1024


class RecentStates:
    """
    A bounded cache that commits and loads fill.

    A load is not cached if its stream was written meanwhile.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._states: OrderedDict[str, Loaded[Any]] = OrderedDict()
        self._loading: dict[str, int] = {}
        self._overtaken: set[str] = set()

    def get(self, stream: str) -> Loaded[Any] | None:
        """Return the cached state of a stream."""
        loaded = self._states.get(stream)
        if loaded is not None:
            self._states.move_to_end(stream)
        return loaded

    def written(self, changes: Sequence[Change], *, bulk: bool = False) -> None:
        """
        Cache the states after a durable append.

        States of bulk work are dropped instead, because they would displace states that others use.
        """
        for change in changes:
            if bulk:
                self.forget(change.stream)
                continue
            stream = change.stream
            version = change.expected_version + len(change.events)
            self._states[stream] = Loaded(change.state, version)
            self._states.move_to_end(stream)
            if stream in self._loading:
                self._overtaken.add(stream)
        while len(self._states) > self._capacity:
            self._states.popitem(last=False)

    def forget(self, stream: str) -> None:
        """Drop a state that may be out of date, and the result of a load in progress."""
        self._states.pop(stream, None)
        if stream in self._loading:
            self._overtaken.add(stream)

    def clear(self) -> None:
        """Drop all states, and the results of loads in progress."""
        self._states.clear()
        self._overtaken.update(self._loading)

    @contextmanager
    def loading(self, stream: str) -> Iterator[Callable[[Loaded[Any]], None]]:
        """Enclose a load; the block passes its result to the yielded function."""
        found: list[Loaded[Any]] = []
        self._loading[stream] = self._loading.get(stream, 0) + 1
        try:
            yield found.append
        finally:
            for loaded in found:
                if stream not in self._overtaken:
                    self._states[stream] = loaded
                    if len(self._states) > self._capacity:
                        self._states.popitem(last=False)
            self._loading[stream] -= 1
            if not self._loading[stream]:
                del self._loading[stream]
                self._overtaken.discard(stream)
