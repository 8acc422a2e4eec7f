"""The port for the high-water mark: how much the log once had, kept apart from it (C-91, D-158)."""

from __future__ import annotations

from typing import Protocol


class MarkUnreadable(Exception):
    """There is a mark, but it cannot be read."""


class LogMark(Protocol):
    """
    A number of events that the log of one store has reached.

    It is kept outside the store, so that a store that is emptied, or put back, is found to be.
    """

    async def read(self) -> int:
        """Return the mark, 0 where there is none; raises `MarkUnreadable`."""
        ...

    async def raise_to(self, events: int) -> None:
        """Move the mark on, where it can be read and written; it never goes back."""
        ...

    async def reset(self, events: int) -> None:
        """Put the mark where a restored log stands."""
        ...
