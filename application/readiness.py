"""Whether the service can do its work: whether its store takes writes (C-1)."""

from __future__ import annotations

import asyncio

from .errors import UnavailableError
from .journal import Journal

_PROBE_SECONDS = 2.0
_PROBE_EVERY = 1.0


class Readiness:
    """Probes the store by a write; all who ask within a second share one, since anybody may ask."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._last: asyncio.Future[None] | None = None
        self._asked = 0.0

    async def is_ready(self) -> bool:
        """Return whether the store takes writes: one that can only be read is not ready."""
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
    # Nobody may be waiting any more: the next caller sees the failure, and no log needs it.
    if not probe.cancelled():
        probe.exception()
