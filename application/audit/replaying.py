"""Repeat the decisions of one stream, event by event, each on the state before it (C-91, D-157)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from ...domain.conditions import WithinRate
from ...domain.decider import Decider
from ...domain.errors import ValidationFailedError
from ...domain.event import Event
from ..ports.snapshot import KeptEvent
from ..records import is_id_of, record_of
from ..records.record import Record
from .differences import Difference, Kind, event_differences
from .provider_facts import impossible_facts

_NOTHING, _POSSIBLE = "nothing", "a possible value"


class Replaying:
    """
    The replay of one stream; `broken` once the stream cannot be replayed (D-28).

    `counted` are the uses of rates in the decisions of the last event. Times may go back by at most
    `step`.
    """

    def __init__(self, stream: str, step: timedelta) -> None:
        self.stream = stream
        self.state: Any = None
        self.broken = False
        self.counted: list[WithinRate] = []
        self._step = step
        self._record: Record[Any] | None = None
        self._version = 0
        self._position = 0
        self._at: datetime | None = None
        # The events that the last decision put into the same append.
        self._following: deque[Event] = deque()

    def take(self, kept: KeptEvent) -> Iterator[Difference]:
        """Apply the next event; yield its differences, and those of its position."""
        self.counted = []
        if kept.version != self._version + 1:
            self.broken = True
            yield self._difference(
                kept.position, Kind.ORDER, "version", self._version + 1, kept.version
            )
        if kept.position <= self._position:
            yield self._difference(
                kept.position,
                Kind.ORDER,
                f"position of version {kept.version}",
                f"behind {self._position}",
                kept.position,
            )
        self._version, self._position = kept.version, kept.position
        if kept.event is None:
            self.broken = True
            yield self._difference(
                kept.position,
                Kind.FORM,
                f"form of version {kept.version}",
                "an event of this release",
                kept.topic,
            )
        elif not kept.as_written:
            yield self._difference(
                kept.position,
                Kind.FORM,
                f"bytes of version {kept.version}",
                "as this release writes them",
                "others",
            )
        if kept.event is not None and not self.broken:
            yield from self._timed(kept, kept.event)
            yield from self._applied(kept, kept.event)

    def end(self) -> Iterator[Difference]:
        """Yield the events that the last decision requires and that are missing."""
        if not self.broken:
            yield from self._missing(self._position)

    def impossible_state(self) -> Difference:
        """Return the difference of a stream whose state is unknown."""
        return self._difference(
            self._position, Kind.LIFE, "state", "one that decisions lead to", "another"
        )

    def _timed(self, kept: KeptEvent, event: Event) -> Iterator[Difference]:
        before, self._at = self._at, event.at
        if before is not None and before - event.at > self._step:
            yield self._difference(
                kept.position,
                Kind.TIME,
                f"time of version {kept.version}",
                f"not before {before.isoformat()}",
                event.at.isoformat(),
            )

    def _applied(self, kept: KeptEvent, event: Event) -> Iterator[Difference]:
        record = self._record or record_of(event)
        decider = record.decider
        misplaced = self._misplaced(kept, decider, event)
        if misplaced is not None:
            self.broken = True
            yield misplaced
            return
        if self._record is None and not is_id_of(decider, self.stream):
            yield self._difference(
                kept.position, Kind.LIFE, "id", f"the id of a {decider.kind}", self.stream
            )
        self._record = record
        for member in impossible_facts(event):
            yield self._difference(
                kept.position,
                Kind.FORM,
                f"{member} of version {kept.version}",
                _POSSIBLE,
                "another",
            )
        yield from self._judged(kept, record, self.state, event)
        try:
            self.state = decider.fold((event,), self.state)
        except Exception:
            # A forged event can lead to any error; the replay cannot continue.
            self.broken = True
            yield self._impossible(kept, _NOTHING)
            return
        yield from self._owned(kept, record, event)

    def _owned(self, kept: KeptEvent, record: Record[Any], event: Event) -> Iterator[Difference]:
        """Yield what says that an event is stored for another account or person than its stream's."""
        account, person = record.account(self.stream, self.state), record.person(self.state, event)
        if kept.account != account:
            yield self._difference(
                kept.position,
                Kind.LIFE,
                f"account of version {kept.version}",
                account,
                kept.account,
            )
        if person is not None and person not in kept.people:
            found = ", ".join(kept.people) or _NOTHING
            yield self._difference(
                kept.position, Kind.LIFE, f"person of version {kept.version}", person, found
            )

    def _misplaced(self, kept: KeptEvent, decider: Decider[Any], event: Event) -> Difference | None:
        """Return a difference for an event that can neither begin the stream nor follow in it."""
        if self._record is not None and isinstance(event, decider.events):
            # A stream begins once.
            return None if isinstance(event, decider.later) else self._impossible(kept, _NOTHING)
        if self._record is None and isinstance(event, decider.beginnings):
            return None
        expected = f"an event of its {decider.kind}"
        if self._record is None:
            expected = " or ".join(each.__name__ for each in decider.beginnings)
        return self._difference(
            kept.position, Kind.FORM, f"kind of version {kept.version}", expected, kept.topic
        )

    def _judged(
        self, kept: KeptEvent, record: Record[Any], state: Any, event: Event
    ) -> Iterator[Difference]:
        """Yield the differences between an event and the decision on its command."""
        if self._following:
            if self._following[0] == event:
                self._following.popleft()
                return
            yield from self._missing(kept.position)
        try:
            decision = record.redecide(state, event)
        except ValidationFailedError:
            # The rules for requests may be newer than the event.
            return
        except Exception:
            # The command was refused, or a forged event broke the decision.
            yield self._impossible(kept, _NOTHING)
            return
        if not decision.events:
            yield self._impossible(kept, _NOTHING)
            return
        first, *following = decision.events
        if type(first) is not type(event):
            yield self._impossible(kept, type(first).__name__)
            return
        for field, expected, found in event_differences(event, first):
            yield self._difference(
                kept.position, Kind.LIFE, f"{field} of version {kept.version}", expected, found
            )
        self._following.extend(following)
        self.counted = [
            each for each in decision.conditions if isinstance(each, WithinRate) and each.counted
        ]

    def _missing(self, position: int) -> Iterator[Difference]:
        missing, self._following = self._following, deque()
        for each in missing:
            yield self._difference(
                position, Kind.LIFE, "what must follow", type(each).__name__, _NOTHING
            )

    def _impossible(self, kept: KeptEvent, expected: str) -> Difference:
        return self._difference(
            kept.position, Kind.LIFE, f"version {kept.version}", expected, kept.topic
        )

    def _difference(
        self, position: int, kind: Kind, field: str, expected: Any, found: Any
    ) -> Difference:
        return Difference(
            position=position,
            kind=kind,
            what="Event",
            id=self.stream,
            field=field,
            expected=expected,
            found=found,
        )
