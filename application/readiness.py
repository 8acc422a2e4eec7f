"""Check whether the service is ready: whether its store accepts writes (C-1)."""

from __future__ import annotations

import asyncio

from .errors import UnavailableError
from .journal import Journal

_PROBE_SECONDS = 2.0
_PROBE_EVERY = 1.0


class Readiness:
    """Probes the store with a write. Calls within a second share one probe, because anyone may call."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._last: asyncio.Future[None] | None = None
        self._asked = 0.0

    async def is_ready(self) -> bool:
        """Return whether the store accepts writes; a read-only store is not ready."""
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                await asyncio.shield(self._probe())
        except (UnavailableError, TimeoutError):
            return False
        return True

    def _probe(self) -> asyncio.Future[None]:
        now = asyncio.get_running_loop().time()
        probe = self._last
        if probe is None or (probe.done() and now - self._asked >= _PROBE_EVERY):
            self._asked = now
            probe = self._last = asyncio.ensure_future(self._journal.probe())
            probe.add_done_callback(_read)
        return probe


def _read(probe: asyncio.Future[None]) -> None:
    # Without waiting calls, nobody reads the failure; the next call probes again.
    if not probe.cancelled():
        probe.exception()
