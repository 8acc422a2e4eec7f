"""The events about the log itself, which auditors read beside the heads that it is signed with."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ..event import Event


@frozen(kw_only=True)
class LogKeyAdded(Event):
    """
    A key that signs heads was added; the heads that cover this event are signed by the keys before it too.

    Both are verifier keys in signed-note form: `log_key` signs heads, `clock_key` their time.
    """

    log_key: str
    clock_key: str


@frozen(kw_only=True)
class LogKeyRetired(Event):
    """A key signs no more heads; the heads that it signed stay valid."""

    log_key: str


@frozen(kw_only=True)
class StoreRestored(Event):
    """
    The store was restored from a backup, and its heads have the next origin from here on.

    The lost head is the last one signed before; all its members are None if none was signed. Heads up to
    `kept_size` stay valid, later ones of an earlier origin are lost. `number` ends the next origin, and
    is above that of every head known. Roots are in base64.
    """

    number: int
    lost_origin: str | None
    lost_size: int | None
    lost_root: str | None
    kept_size: int
    kept_root: str


class PrunedPart(StrEnum):
    """What retention takes out of events: their sealed line, or all of a stream (C-75)."""

    SEALED = "sealed"
    STREAM = "stream"


@frozen
class PrunedRange:
    """Positions in the log, from `first` to `last`."""

    first: int
    last: int


@frozen(kw_only=True)
class EventsPruned(Event):
    """
    Retention is about to take a part out of the events of an account at these positions (C-75).

    The ranges ascend and have no position in common. `digest` is the base64 SHA-256 of the leaf hashes of
    these events in order, so that nothing else can be taken out in their name. What the events are about
    had ended at `ended_before`.
    """

    account_id: str
    what: PrunedPart
    ranges: tuple[PrunedRange, ...]
    digest: str
    ended_before: datetime

    @property
    def size(self) -> int:
        """The number of positions."""
        return sum(each.last - each.first + 1 for each in self.ranges)


@frozen(kw_only=True)
class ReadModelsRepaired(Event):
    """
    Rows of read models were made again from the log, because they disagreed with it.

    `replaced` and `removed` count the rows by list; the log was read up to `position`.
    """

    position: int
    replaced: Mapping[str, int]
    removed: Mapping[str, int]


LogHistoryEvent = LogKeyAdded | LogKeyRetired | StoreRestored
