"""The streams that have no events yet, so that nobody reads them for every request (D-387)."""

from __future__ import annotations

from typing import Any

from .ports.event_store import Loaded

MOST_STREAMS = 10_000


class AbsentStreams:
    """
    Remembers streams that were read and had no events, with the state that stands for none.

    Another process may have begun one since. So only decisions whose append requires that the stream is
    still at version 0 rely on it; the journal forgets a stream for which an append was refused.
    """

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._states: dict[str, Loaded[Any]] = {}

    def get(self, stream: str) -> Loaded[Any] | None:
        """Return what stands for the state of a stream without events; None for other streams."""
        return self._states.get(stream)

    def learn(self, stream: str, standing: Loaded[Any]) -> None:
        """Remember that a stream has no events; at the bound, forget the others."""
        if len(self._states) >= self._most:
            self._states.clear()
        self._states[stream] = standing

    def forget(self, stream: str) -> None:
        """Forget a stream, because it may have events now."""
        self._states.pop(stream, None)
