"""What an audit found wrong beside the streams, for a rebuild to put right (C-81, D-450)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from attrs import define, field

from ..ports.event_store import TallyCorrection
from ..records.read_model import Row
from .counted.tallies import TallyDifference
from .differences import Difference, HolderDifference, Kind
from .named_people import is_left_of_person
from .rebuilt_lists import DUE, HOLDERS, PEOPLE, READ_MODELS, STATISTICS, TALLIES

# Buckets that one append corrects.
_TALLIES_AT_ONCE = 64
_NOTHING_EXPECTED = frozenset({"no row", "not held", "none"})


@define
class Wrong:
    """
    What is wrong beside one stream, which may have no events.

    `rows` are the lists in which its row is wrong, missing or too many, `subjects` those that it wrongly
    holds or does not hold, as the store has them, and `due` the kinds and numbers of its due rows.
    """

    stream: str
    rows: set[type[Row]] = field(factory=set)
    subjects: set[str] = field(factory=set)
    due: set[tuple[str, int]] = field(factory=set)


class FoundRepairs:
    """
    Collects what is wrong in some lists from the differences of an audit, in the order of its walk.

    Nothing is collected for a stream whose own events are not as its decisions make them: what is kept
    beside it may be the only witness of what the events said before (D-450).
    """

    def __init__(self, lists: Collection[str]) -> None:
        self._lists = lists
        self._flawed = ""
        self._wrong: dict[str, Wrong] = {}
        self._people: set[str] = set()
        self._tallies: list[TallyDifference] = []
        self.replaced: Counter[str] = Counter()
        self.removed: Counter[str] = Counter()
        # Streams that have differences of their own.
        self.flawed = 0
        # Whether the statistics are to be counted again.
        self.statistics = False

    def __len__(self) -> int:
        return len(self._wrong) + len(self._people) + len(self._tallies)

    def take(self, difference: Difference) -> None:
        """Note a difference; those of a stream's events come before those beside it."""
        if difference.what == "Event":
            if difference.id != self._flawed:
                self._flawed = difference.id
                self.flawed += 1
            return
        if difference.id == self._flawed:
            return
        if difference.kind is Kind.ROW:
            self._take_row(difference)
        elif isinstance(difference, HolderDifference) and HOLDERS in self._lists:
            self._of(difference.id).subjects.add(difference.subject)
            self._count(HOLDERS, difference)
        elif difference.kind is Kind.DUE and DUE in self._lists:
            kind, _, number = difference.field.rpartition(" ")
            self._of(difference.id).due.add((kind, int(number)))
            self._count(DUE, difference)
        elif difference.kind is Kind.STATISTICS and STATISTICS in self._lists:
            self.statistics = True
            self.replaced[STATISTICS] += 1
        elif isinstance(difference, TallyDifference) and TALLIES in self._lists:
            self._tallies.append(difference)
            self.replaced[TALLIES] += 1
        elif is_left_of_person(difference) and PEOPLE in self._lists:
            self._people.add(difference.id)
            self.removed[PEOPLE] += 1

    def _take_row(self, difference: Difference) -> None:
        name, kind = READ_MODELS[difference.what]
        # A row may differ in several fields.
        if name in self._lists and kind not in (rows := self._of(difference.id).rows):
            rows.add(kind)
            self._count(name, difference)

    def counted(self) -> tuple[Counter[str], Counter[str]]:
        """Return how many rows are to be replaced and removed, by list, since the last call."""
        counted = self.replaced, self.removed
        self.replaced, self.removed = Counter(), Counter()
        return counted

    def all(self) -> Iterator[Wrong]:
        """Yield what is wrong beside each stream, and forget it."""
        while self._wrong:
            yield self._wrong.pop(next(iter(self._wrong)))

    def people(self) -> Iterator[str]:
        """Yield the erased people of whom something is left, and forget them."""
        while self._people:
            yield self._people.pop()

    def tallies(self) -> Iterator[tuple[str, int, Sequence[TallyCorrection]]]:
        """Yield corrections by guard and its version, some at a time, and forget them."""
        found, self._tallies = self._tallies, []
        of_guards = groupby(sorted(found, key=_guard), key=_guard)
        for (guard, version), of_guard in of_guards:
            corrections = [each.correction for each in of_guard]
            for first in range(0, len(corrections), _TALLIES_AT_ONCE):
                yield guard, version, corrections[first : first + _TALLIES_AT_ONCE]

    def _of(self, stream: str) -> Wrong:
        wrong = self._wrong.get(stream)
        if wrong is None:
            wrong = self._wrong[stream] = Wrong(stream)
        return wrong

    def _count(self, name: str, difference: Difference) -> None:
        counts = self.removed if difference.expected in _NOTHING_EXPECTED else self.replaced
        counts[name] += 1


def _guard(difference: TallyDifference) -> tuple[str, int]:
    return difference.guard, difference.version
