"""Compare the totals for the limits of hosted media with the media in the log (C-91, C-94)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from itertools import groupby
from typing import Any

from ...domain.accounts.account import AccountLimitsSet
from ...domain.accounts.account_limits import media_bytes
from ...domain.media import Media, MediaRemoved, MediaStored
from ..ports.snapshot import KeptEvent, KeptPosition, Snapshot
from .differences import Difference, Kind
from .lookahead import Lookahead
from .sorting import Entry, Sorting

# Larger than every position, so that the difference to it sorts the newest event first.
_BEYOND = 10**19


class MediaTotals:
    """
    Reads all events, and compares the media of each account with its kept total.

    Totals were introduced in a later release: older media need not be counted. Limits and removals came
    with that release, so media are counted at the latest from the first of these events.
    """

    def __init__(self) -> None:
        self._changes = Sorting()
        self._counting_since = _BEYOND

    def take(self, kept: KeptEvent, state: Any) -> None:
        """Read an event and the state after it."""
        if isinstance(kept.event, AccountLimitsSet | MediaRemoved):
            self._counting_since = min(self._counting_since, kept.position)
        if isinstance(kept.event, MediaStored | MediaRemoved) and isinstance(state, Media):
            change = state.size if isinstance(kept.event, MediaStored) else -state.size
            newest_first = f"{_BEYOND - kept.position:020}"
            self._changes.add(media_bytes(state.account_id), newest_first, str(change))

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Compare the total of each account with its media."""
        totals = Lookahead(_of_media(snapshot.positions()), _name)
        for subject, changes in groupby(self._changes.sorted(), key=_subject):
            async for stray in totals.before(subject):
                if stray.position:
                    yield _difference(stray.name, 0, stray.position)
            found = sum(each.position for each in await totals.under(subject))
            honest, full = self._compared(changes, found)
            if not honest:
                yield _difference(subject, full, found)
        async for stray in totals.before(None):
            if stray.position:
                yield _difference(stray.name, 0, stray.position)

    def close(self) -> None:
        """Drop the sorted data."""
        self._changes.close()

    def _compared(self, newest_first: Iterable[Entry], found: int) -> tuple[bool, int]:
        """Return whether a total can follow from the changes, and the total of all changes."""
        honest, since, total = False, 0, 0
        for _, place, change in newest_first:
            # The count may have begun after this change, because no earlier event proves that it had begun.
            if _BEYOND - int(place) < self._counting_since:
                honest = honest or total == found
            # A total never falls below zero, so it is the largest sum of the newest changes.
            since += int(change)
            total = max(total, since)
        return honest or total == found, total


async def _of_media(positions: AsyncIterator[KeptPosition]) -> AsyncIterator[KeptPosition]:
    async for each in positions:
        if each.name.startswith(media_bytes("")):
            yield each


def _difference(subject: str, expected: int, found: int) -> Difference:
    return Difference(
        kind=Kind.USE,
        what="Total",
        id=subject.removeprefix(media_bytes("")),
        field="media bytes",
        expected=str(expected),
        found=str(found),
    )


def _name(position: KeptPosition) -> str:
    return position.name


def _subject(change: Entry) -> str:
    return change[0]
