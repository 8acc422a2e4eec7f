"""Wrap all keys anew in a rotation of the code key, in the background (C-3)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from .journal import Journal
from .ports.sealer import SealBrokenError, Sealer

# A batch takes 1 ms of the event loop, and one short transaction of the store.
AT_ONCE = 200

Finished = Callable[[int, bool], None]


class RewrappingKeys:
    """
    Wraps keys with the newest version of the code key that the version `older` wraps.

    Its passes go through the keys by name: those of people, accounts, parked receipts, the index, callback
    endpoints, channel accounts and fallback runs. What is left after a crash is found by its version.
    Nodes may do the work side by side: the store replaces a key only if it is still the one that was
    read, so no key comes back that was dropped or erased meanwhile (D-313).

    After each pass that wrapped keys, `finished` gets their number, and whether the older version still
    wraps any. A key that does not open stays as it is, and holds up no other.
    """

    kind = None

    def __init__(self, journal: Journal, sealer: Sealer, older: int, finished: Finished) -> None:
        self._journal = journal
        self._sealer = sealer
        self._older = older
        self._finished = finished
        self._passed = ""
        self._wrapped = 0

    async def run_due(self) -> int:
        """Wrap some keys anew; return how many were looked at, and 0 at the end of a pass."""
        keys = await self._journal.keys_under(self._older, AT_ONCE, self._passed)
        anew = []
        for key in keys:
            with suppress(SealBrokenError):
                anew.append((key, self._sealer.rewrapped(key)))
        self._wrapped += await self._journal.rewrap(anew)
        self._passed = keys[-1].name if keys else ""
        if not keys and self._wrapped:
            self._finished(self._wrapped, await self._journal.seals_under(self._older))
            self._wrapped = 0
        return len(keys)
