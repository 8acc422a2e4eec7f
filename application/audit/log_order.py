"""Check the order of the log: gaps, repeated ids, and times that go back (C-91, D-159)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timedelta

from ..ports.snapshot import Placed, Snapshot
from .answers import Answers, answer_difference
from .differences import Difference, Kind
from .pruned_positions import NOTHING_PRUNED, PrunedPositions
from .sorting import Sorting


class LogOrder:
    """Reads a snapshot in the order of positions; every event id may occur once."""

    def __init__(
        self,
        snapshot: Snapshot,
        answers: Answers,
        step: timedelta,
        advance: Callable[[], None],
        pruned: PrunedPositions = NOTHING_PRUNED,
    ) -> None:
        self._snapshot = snapshot
        self._answers = answers
        self._step = step
        self._advance = advance
        self._requests = Sorting()
        self._newest: datetime | None = None
        self._last = 0
        self._pruned = pruned
        self.ids = Sorting()

    async def differences(self) -> AsyncIterator[Difference]:
        """Yield what is out of order."""
        async for placed in self._snapshot.placed():
            for each in (*self._places(placed), *self._times(placed)):
                yield each
            self._last = placed.position
            self._advance()
            if placed.event_id is not None:
                at = "" if placed.at is None else placed.at.isoformat()
                where = (f"{placed.position:020}", placed.stream, str(placed.version), at)
                self.ids.add(placed.event_id, *where)
            if placed.request_id is not None:
                self._requests.add(placed.request_id)
        for each in self._unanswered():
            yield each

    @property
    def last(self) -> int:
        """The position of the newest event."""
        return self._last

    def repeated(self) -> Iterator[Difference]:
        """Yield the events that share their id with another."""
        before = ""
        for event_id, position, stream, *_ in self.ids.sorted():
            if event_id == before:
                yield Difference(
                    position=int(position),
                    kind=Kind.ORDER,
                    what="Event",
                    id=stream,
                    field="event id",
                    expected="an id of its own",
                    found=event_id,
                )
            before = event_id

    def close(self) -> None:
        """Drop the sorted data."""
        self.ids.close()
        self._requests.close()

    def _places(self, placed: Placed) -> Iterator[Difference]:
        if placed.position in self._pruned.gone:
            yield Difference(
                position=placed.position,
                kind=Kind.ORDER,
                what="Log",
                id=placed.stream,
                field="event",
                expected="none, because retention dropped it",
                found="an event",
            )
        next_position = self._last + 1
        dropped = self._pruned.dropped.contain(next_position, placed.position - 1)
        if placed.position != next_position and not dropped:
            yield Difference(
                position=placed.position,
                kind=Kind.ORDER,
                what="Log",
                id=placed.stream,
                field="position",
                expected=self._last + 1,
                found=placed.position,
            )

    def _times(self, placed: Placed) -> Iterator[Difference]:
        if placed.at is None:
            return
        if self._newest is not None and self._newest - placed.at > self._step:
            yield Difference(
                position=placed.position,
                kind=Kind.TIME,
                what="Log",
                id=placed.stream,
                field="time",
                expected=f"not before {self._newest.isoformat()}",
                found=placed.at.isoformat(),
            )
            # An event with a wrong time is one difference, whether it is too early or too late.
            self._newest = placed.at
        self._newest = placed.at if self._newest is None else max(self._newest, placed.at)

    def _unanswered(self) -> Iterator[Difference]:
        """Yield the saved answers of requests without an event in the log."""
        requests = self._requests.sorted()
        at: str | None = ""
        before = ""
        for request_id, scope in self._answers.by_request():
            if request_id == before:
                yield answer_difference(scope, "request", "a request of its own", "another's")
            before = request_id
            while at is not None and at < request_id:
                (at,) = next(requests, (None,))
            if at != request_id:
                yield answer_difference(scope, "request", "events of the request", "none")
