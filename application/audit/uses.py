"""The uses of rates beside those that the decisions of the log counted (C-16, C-91)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from itertools import groupby

from ..legacy.logging_in import SUBJECT
from ..ports.snapshot import KeptUse, Snapshot
from .ahead import Ahead
from .differences import Difference, Kind
from .sorting import Entry, Sorting

# Counted without an event: nobody can tell them from the log.
_BESIDE_THE_LOG = (SUBJECT,)


async def use_differences(snapshot: Snapshot, counted: Sorting) -> AsyncIterator[Difference]:
    """Compare the uses of each subject with the times at which decisions counted one."""
    kept = Ahead(snapshot.uses(), _subject)
    for subject, entries in groupby(counted.sorted(), key=_first):
        async for stray in kept.before(subject):
            for each in _differences(stray.subject, Counter(), [stray]):
                yield each
        times = Counter(datetime.fromisoformat(at) for _, at in entries)
        for each in _differences(subject, times, await kept.under(subject)):
            yield each
    async for stray in kept.before(None):
        for each in _differences(stray.subject, Counter(), [stray]):
            yield each


def _differences(
    subject: str, wanted: Counter[datetime], found: list[KeptUse]
) -> Iterator[Difference]:
    if subject.startswith(_BESIDE_THE_LOG):
        return
    for number, use in enumerate(found, start=found[0].number if found else 1):
        if use.number != number:
            yield _difference(subject, f"number {number}", str(number), str(use.number))
            break
    has = Counter(use.at for use in found)
    for at, times in (wanted - Counter({at: n for at, n in has.items() if at})).items():
        yield _difference(subject, at.isoformat(), f"{times} more", "none")
    for kept_at, times in has.items():
        extra = times - (wanted[kept_at] if kept_at is not None else 0)
        if extra > 0:
            field = "an unreadable time" if kept_at is None else kept_at.isoformat()
            yield _difference(subject, field, "none", f"{extra} more")


def _difference(subject: str, field: str, expected: str, found: str) -> Difference:
    # What stands behind the second name may be a destination (D-29).
    _, _, rest = subject.partition(":")
    return Difference(
        kind=Kind.USE,
        what="Use",
        id=rest.partition(":")[0],
        field=field,
        expected=expected,
        found=found,
    )


def _subject(use: KeptUse) -> str:
    return use.subject


def _first(entry: Entry) -> str:
    return entry[0]
