"""Notifies workers of new due rows so that they wake early; all stores share it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from ....application.ports.event_store import Due, DueKind

DueAdded = Callable[[datetime], None]


class DueWatchers:
    """The callbacks of this process's workers, by kind of due row."""

    def __init__(self) -> None:
        self._watching: dict[DueKind, list[DueAdded]] = {kind: [] for kind in DueKind}

    @contextmanager
    def watching(self, kind: DueKind, due_added: DueAdded) -> Iterator[None]:
        """Call `due_added` for new due rows of a kind while the block runs."""
        self._watching[kind].append(due_added)
        try:
            yield
        finally:
            self._watching[kind].remove(due_added)

    def notify_all(self, due: Iterable[Due]) -> None:
        """Notify the watchers of all due rows of an append."""
        for each in due:
            self.notify(each.kind, each.at)

    def notify(self, kind: DueKind, at: datetime) -> None:
        """Notify the watchers of a kind that a row is due at a time."""
        for due_added in self._watching[kind]:
            due_added(at)
