"""Compare the accounts whose keys seal parts of events with the keys that the store has (C-73, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from ..ports.sealer import CODE_KEY_LOST, INDEX
from ..ports.snapshot import KeptEvent, KeptSeal, Snapshot
from .differences import Difference
from .due_rows_and_seals import seal_difference
from .lookahead import Lookahead
from .sorting import Sorting

# Most events have one of a few owners, which need not be sorted again and again.
_MOST_RECENT = 10_000


class SealedOwners:
    """
    Reads all events, and compares the accounts for whom they are sealed with the table of keys.

    The keys of accounts stay for ever, and so does the secret that finds people, unless the store lost its
    code key (D-314).
    """

    def __init__(self) -> None:
        self._owners = Sorting()
        self._recent: set[str] = set()

    def take(self, kept: KeptEvent) -> None:
        """Read an event."""
        for owner in (*kept.owners, INDEX) if kept.people else kept.owners:
            if owner not in self._recent:
                if len(self._recent) >= _MOST_RECENT:
                    self._recent.clear()
                self._recent.add(owner)
                self._owners.add(owner)

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Yield the owners whose keys are gone, and a missing secret that finds people."""
        lost = await snapshot.setting(CODE_KEY_LOST) is not None
        seals = Lookahead(snapshot.seals(), _name)
        before = ""
        for (owner,) in self._owners.sorted():
            if owner == before or (lost and not (owner == INDEX and await _has_people(snapshot))):
                continue
            before = owner
            async for _ in seals.before(owner):
                pass
            if not await seals.under(owner):
                yield seal_difference(owner, "a key", "none")

    def close(self) -> None:
        """Drop the sorted data."""
        self._owners.close()


async def _has_people(snapshot: Snapshot) -> bool:
    return await anext(snapshot.people(), None) is not None


def _name(seal: KeptSeal) -> str:
    return seal.name
