"""Notifies workers of new due rows, so that they wake early; the same for every store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from ....application.ports.event_store import Due, DueKind

DueAdded = Callable[[datetime], None]


class DueWatchers:
    """Whoever in this process wants to know of a kind; a worker each, at most."""

    def __init__(self) -> None:
        self._watching: dict[DueKind, list[DueAdded]] = {kind: [] for kind in DueKind}

    @contextmanager
    def watching(self, kind: DueKind, due_added: DueAdded) -> Iterator[None]:
        """Tell `due_added` while the block runs."""
        self._watching[kind].append(due_added)
        try:
            yield
        finally:
            self._watching[kind].remove(due_added)

    def notify_all(self, due: Iterable[Due]) -> None:
        """Tell of the due rows that an append has put."""
        for each in due:
            self.notify(each.kind, each.at)

    def notify(self, kind: DueKind, at: datetime) -> None:
        """Notify the watchers of a kind that a row is due at a time."""
        for due_added in self._watching[kind]:
            due_added(at)
