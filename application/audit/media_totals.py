"""The totals that limits of hosted media are judged by, beside the media of the log (C-91, C-94)."""

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

# Positions are below it, so that what is left of it sorts the newest first.
_BEYOND = 10**19


class MediaTotals:
    """
    Takes all events, and compares what media came and went with the totals that are kept.

    A store may have media that are older than its totals: none of them needs to be counted that came
    before the first event of a release that counts, which are limits and removals.
    """

    def __init__(self) -> None:
        self._changes = Sorting()
        self._counting_since = _BEYOND

    def take(self, kept: KeptEvent, state: Any) -> None:
        """Look at an event and the state that it led to."""
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
        """Let go of what was sorted."""
        self._changes.close()

    def _compared(self, newest_first: Iterable[Entry], found: int) -> tuple[bool, int]:
        """Say whether a total may come of changes, and what comes of them all."""
        honest, since, total = False, 0, 0
        for _, place, change in newest_first:
            # Counting may have begun behind this change, where nothing shows that it had before.
            if _BEYOND - int(place) < self._counting_since:
                honest = honest or total == found
            # A total never falls below nothing: it is the most that any number of the newest adds up to.
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
