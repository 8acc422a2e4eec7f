"""What retention took out of the log, as its prunings say: an audit knows it from what is missing (C-75)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import datetime

from attrs import field, frozen

from ...domain.log_history import EventsPruned, PrunedPart, PrunedRange
from ..ports.event_store import DueKind
from ..ports.snapshot import KeptEvent, Snapshot
from ..records.log_history import PRUNING
from .cut import Cut
from .differences import Difference, Kind

# All of the log.
NO_CUT = Cut()


@frozen
class Ranges:
    """Positions in ranges that neither meet nor touch."""

    firsts: tuple[int, ...] = ()
    lasts: tuple[int, ...] = ()

    @classmethod
    def of(cls, ranges: Iterable[PrunedRange]) -> Ranges:
        """Return ranges in any order as one set of positions."""
        firsts: list[int] = []
        lasts: list[int] = []
        for each in sorted(ranges, key=lambda each: each.first):
            if lasts and each.first <= lasts[-1] + 1:
                lasts[-1] = max(lasts[-1], each.last)
            else:
                firsts.append(each.first)
                lasts.append(each.last)
        return cls(tuple(firsts), tuple(lasts))

    def __contains__(self, position: int) -> bool:
        return self.contain(position, position)

    def contain(self, first: int, last: int) -> bool:
        """Return whether every position from `first` to `last` is among these."""
        place = bisect_right(self.firsts, first) - 1
        return place >= 0 and last <= self.lasts[place]

    @property
    def size(self) -> int:
        """The number of positions."""
        return sum(self.lasts) - sum(self.firsts) + len(self.firsts)


@frozen(kw_only=True)
class PrunedPositions:
    """
    The positions whose sealed lines may be blanked, and those whose events may be gone.

    What is `finished` was taken, and does not come back; a step with a due row is still under way.
    `ended_before` says, by account, until when what is pruned had ended.
    """

    sealed: Ranges = Ranges()
    finished: Ranges = Ranges()
    dropped: Ranges = Ranges()
    gone: Ranges = Ranges()
    ended_before: dict[str, datetime] = field(factory=dict)

    @classmethod
    async def read(cls, snapshot: Snapshot, cut: Cut = NO_CUT) -> PrunedPositions:
        """Read the prunings of a snapshot up to a cut."""
        under_way = {
            (each.stream, each.number)
            async for each in snapshot.due()
            if each.kind == DueKind.RETENTION
        }
        sealed: list[PrunedRange] = []
        finished: list[PrunedRange] = []
        dropped: list[PrunedRange] = []
        gone: list[PrunedRange] = []
        ended_before: dict[str, datetime] = {}
        async for kept in snapshot.events(f"{PRUNING.prefix}_"):
            event = kept.event
            if not isinstance(event, EventsPruned):
                # The walk over all streams says so.
                continue
            if not cut.has(kept.position, event.at):
                continue
            of_streams = event.what is PrunedPart.STREAM
            (dropped if of_streams else sealed).extend(event.ranges)
            # A step has a due row until it is finished, by the version of its event.
            if (kept.stream, kept.version) not in under_way:
                (gone if of_streams else finished).extend(event.ranges)
            known = ended_before.get(event.account_id)
            if known is None or known < event.ended_before:
                ended_before[event.account_id] = event.ended_before
        return cls(
            sealed=Ranges.of(sealed),
            finished=Ranges.of(finished),
            dropped=Ranges.of(dropped),
            gone=Ranges.of(gone),
            ended_before=ended_before,
        )

    def forgets(self, account_id: str | None, at: datetime) -> bool:
        """Return whether what an account counted at a time may be forgotten."""
        before = None if account_id is None else self.ended_before.get(account_id)
        return before is not None and at < before


NOTHING_PRUNED = PrunedPositions()


class PrunedStream:
    """
    What retention took of one stream.

    Of a stream that `is_gone` nothing hangs on the log any more. While pruning `is_under_way`, or where a
    stream went on after it, something may be there or not.
    """

    def __init__(self, pruned: PrunedPositions) -> None:
        self._pruned = pruned
        self._events = self._named = self._finished = 0

    @property
    def is_gone(self) -> bool:
        """Whether all events were pruned."""
        return 0 < self._events == self._finished

    @property
    def is_under_way(self) -> bool:
        """Whether some events are named by a pruning, and not all of them were pruned."""
        return bool(self._named) and not self.is_gone

    def take(self, kept: KeptEvent) -> Iterator[Difference]:
        """Read the next event; yield a difference if it was blanked, and no pruning says so."""
        self._events += 1
        named = kept.position in self._pruned.sealed
        self._named += named
        self._finished += kept.position in self._pruned.finished
        if kept.blanked and not named:
            yield Difference(
                position=kept.position,
                kind=Kind.FORM,
                what="Event",
                id=kept.stream,
                field=f"sealed line of version {kept.version}",
                expected="a sealed text, because no pruning names it",
                found="a digest",
            )
