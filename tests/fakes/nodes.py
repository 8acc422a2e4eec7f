"""Event stores on one database, as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import cycle
from typing import Any

from watchword.adapters.event_store.due_watchers import DueAdded
from watchword.application.ports.event_store import DueKind, EventStore


class TakingTurns:
    """Sends every call to the store whose turn it is; watches them all."""

    def __init__(self, *stores: EventStore) -> None:
        self._stores = stores
        self._turns = cycle(stores)

    def __getattr__(self, name: str) -> Any:
        """Give a method of the next store."""
        return getattr(next(self._turns), name)

    @contextmanager
    def watching_due(self, due_added: DueAdded) -> Iterator[None]:
        """Watch what each of them puts; of what one tells the others, they all hear, here once."""
        heard: set[tuple[DueKind, datetime]] = set()

        def once(kind: DueKind, at: datetime) -> None:
            if (kind, at) not in heard:
                heard.add((kind, at))
                due_added(kind, at)

        with ExitStack() as stack:
            for each in self._stores:
                stack.enter_context(each.watching_due(once))
            yield
