"""Who is told of due rows, so that workers wake early: the same for every store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime

from ...application.ports.event_store import Due, DueKind

DueAdded = Callable[[DueKind, datetime], None]


class DueWatchers:
    """Whoever in this process wants to know; a few workers, at most."""

    def __init__(self) -> None:
        self._watching: list[DueAdded] = []

    @contextmanager
    def watching(self, due_added: DueAdded) -> Iterator[None]:
        """Tell `due_added` while the block runs."""
        self._watching.append(due_added)
        try:
            yield
        finally:
            self._watching.remove(due_added)

    def tell(self, due: Iterable[Due]) -> None:
        """Tell everybody of the due rows that an append has put."""
        for each in due:
            self.told(each.kind, each.at)

    def told(self, kind: DueKind, at: datetime) -> None:
        """Tell everybody that something of a kind is due at a time."""
        for due_added in self._watching:
            due_added(kind, at)
