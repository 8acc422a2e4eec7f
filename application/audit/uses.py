"""Compare the kept uses of rates with the uses that decisions of the log counted (C-16, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from datetime import datetime

from ..legacy import logging_in
from ..operators import console_sessions
from ..ports.snapshot import KeptUse, Snapshot
from .differences import Difference, Kind
from .sorting import Entry, Sorting

# These uses have no events.
_BESIDE_THE_LOG = (logging_in.SUBJECT, console_sessions.SUBJECT)


# Returns whether retention may have forgotten what a subject counted at a time; without a time, anything.
Forgets = Callable[[str, datetime | None], bool]


def _never(_subject: str, _at: datetime | None) -> bool:
    return False


async def use_differences(
    snapshot: Snapshot, counted: Sorting, forgets: Forgets = _never
) -> AsyncIterator[Difference]:
    """
    Compare the uses of each subject with the times at which decisions counted one.

    `counted` has nothing of what `forgets` says may be forgotten.
    """
    with closing(Sorting()) as kept:
        before: KeptUse | None = None
        async for use in snapshot.uses():
            if use.subject.startswith(_BESIDE_THE_LOG):
                continue
            follows = before is not None and before.subject == use.subject
            number = before.number + 1 if before is not None and follows else 1
            if use.number != number and (follows or not forgets(use.subject, None)):
                yield _difference(use.subject, "number", str(number), str(use.number))
            if use.at is None:
                yield _difference(use.subject, f"number {use.number}", "a time", "none")
            elif not forgets(use.subject, use.at):
                kept.add(use.subject, use.at.isoformat())
            before = use
        for each in _compared(counted.sorted(), kept.sorted()):
            yield each


def template_of(subject: str) -> str:
    """Return the id of the PIN template in a subject."""
    _, _, rest = subject.partition(":")
    return rest.partition(":")[0]


def _compared(counted: Iterator[Entry], kept: Iterator[Entry]) -> Iterator[Difference]:
    """Merge both in order; an entry of only one is a difference."""
    wanted, has = next(counted, None), next(kept, None)
    while wanted is not None or has is not None:
        if wanted == has:
            wanted, has = next(counted, None), next(kept, None)
        elif has is None or (wanted is not None and wanted < has):
            assert wanted is not None
            yield _difference(wanted[0], wanted[1], "a use", "none")
            wanted = next(counted, None)
        else:
            yield _difference(has[0], has[1], "none", "a use")
            has = next(kept, None)


def _difference(subject: str, field: str, expected: str, found: str) -> Difference:
    # The part of a subject after the second name may be a destination (D-29).
    return Difference(
        kind=Kind.USE,
        what="Use",
        id=template_of(subject),
        field=field,
        expected=expected,
        found=found,
    )
