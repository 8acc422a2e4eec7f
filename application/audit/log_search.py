"""The filters of the log (C-82)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ..ports.event_store import Recorded


@frozen(kw_only=True)
class LogSearch:
    """
    Which events of the log are wanted; an empty filter narrows nothing.

    `since` and `until` are about the events' own times; an event at `until` is left out.
    """

    names: frozenset[str] = frozenset()
    actors: frozenset[str] = frozenset()
    streams: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None

    @property
    def wants_all(self) -> bool:
        """Whether every event is wanted."""
        return self == WHOLE_LOG

    @property
    def one_stream(self) -> str | None:
        """The stream whose events alone are wanted; None if it is not one."""
        return next(iter(self.streams)) if len(self.streams) == 1 else None

    def finds(self, recorded: Recorded) -> bool:
        """Return whether an event is wanted."""
        at = recorded.event.at
        return (
            (not self.names or recorded.type in self.names)
            and (not self.actors or recorded.actor in self.actors)
            and (not self.streams or recorded.stream in self.streams)
            and (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
        )


WHOLE_LOG = LogSearch()
