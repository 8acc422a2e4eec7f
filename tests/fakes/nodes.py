"""Event stores on one database, as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from inspect import iscoroutinefunction
from itertools import cycle
from typing import Any

from tests.vaults import new_vault
from watchword.adapters.event_store.batch.due_watchers import DueAdded
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import DueKind, EventStore, Loaded


class TakingTurns:
    """Sends every call to the store whose turn it is; watches them all."""

    def __init__(self, *stores: EventStore) -> None:
        self._stores = stores
        self._turns = cycle(stores)
        self._next = next(self._turns)

    def __getattr__(self, name: str) -> Any:
        """Return a method of the next store."""
        return getattr(self.turn(), name)

    def turn(self) -> Any:
        """Return the store whose turn it is."""
        at_work, self._next = self._next, next(self._turns)
        return at_work

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Recall by the store whose turn comes, as it is the one that will append."""
        return self._next.recall(stream)

    def forget_person(self, person_id: str) -> None:
        """Forget on every node, as each one polls."""
        for each in self._stores:
            each.forget_person(person_id)

    @contextmanager
    def watching_due(self, kind: DueKind, due_added: DueAdded) -> Iterator[None]:
        """Watch the rows of all nodes; a notice of one reaches every node, here once."""
        heard: set[datetime] = set()

        def once(at: datetime) -> None:
            if at not in heard:
                heard.add(at)
                due_added(at)

        with ExitStack() as stack:
            for each in self._stores:
                stack.enter_context(each.watching_due(kind, once))
            yield

    @contextmanager
    def watching_log(self, grown: Callable[[], None]) -> Iterator[None]:
        """Watch the log at all nodes."""
        with ExitStack() as stack:
            for each in self._stores:
                stack.enter_context(each.watching_log(grown))
            yield


class TwoNodes(TakingTurns):
    """Two PostgreSQL stores; `under_way` are the calls that are not answered yet."""

    def __init__(self, *stores: PostgresEventStore) -> None:
        super().__init__(*stores)
        self._opened = stores
        self.under_way = 0

    @classmethod
    async def open(cls, url: str, real_time: Callable[[], float] | None = None) -> TwoNodes:
        """Open both."""
        return cls(
            *[
                await PostgresEventStore.open(url, real_time=real_time, vault=new_vault())
                for _ in range(2)
            ]
        )

    async def close(self) -> None:
        """Close both."""
        for each in self._opened:
            await each.close()

    def __getattr__(self, name: str) -> Any:
        """Return a method of the next store, and count its calls."""
        method = super().__getattr__(name)
        if not iscoroutinefunction(method):
            return method

        async def counted(*arguments: Any, **named: Any) -> Any:
            self.under_way += 1
            try:
                return await method(*arguments, **named)
            finally:
                self.under_way -= 1

        return counted
