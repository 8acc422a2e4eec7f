"""The port for the high-water mark: the number of events that the log has had (C-91, D-158)."""

from __future__ import annotations

from typing import Protocol


class MarkUnreadable(Exception):
    """The mark exists, but cannot be read."""


class LogMark(Protocol):
    """
    A number of events that the log of one store has reached.

    The mark is kept outside the store, so that the audit notices a store that was emptied or put back.
    """

    async def read(self) -> int:
        """Return the mark, or 0 without one; raises `MarkUnreadable`."""
        ...

    async def raise_to(self, events: int) -> None:
        """Raise the mark, if it can be read and written; it is never lowered."""
        ...

    async def reset(self, events: int) -> None:
        """Set the mark to the size of a restored log."""
        ...
