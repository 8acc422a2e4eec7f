"""Compare the size of the log with its high-water mark, to notice a log that was cut (D-158)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..ports.log_mark import LogMark, MarkUnreadable
from .differences import Difference, Kind


async def mark_differences(mark: LogMark | None, size: int) -> AsyncIterator[Difference]:
    """Compare the number of events in a log with the number that it once had."""
    if mark is None:
        return
    try:
        marked = await mark.read()
    except MarkUnreadable:
        yield _difference("mark", "a number of events", "what cannot be read")
        return
    if size < marked:
        yield _difference("events", f"at least {marked}", str(size))


def _difference(field: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.MARK, what="Log", id="", field=field, expected=expected, found=found
    )
