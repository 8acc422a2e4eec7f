"""The rows of the statistics, as the follower keeps and changes them between its batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar

from ..journal import Journal
from ..records.read_model import Row
from .eras import era_at

R = TypeVar("R", bound=Row)
# The place of a row, from which its key follows.
P = TypeVar("P")
V = TypeVar("V")

MOST_ROWS = 4_096


class KeptRows(Generic[P, V, R]):
    """
    The newest rows of one read model, each as a value that can be changed.

    A row that is not kept is read from the store, and is new if the store has none.
    """

    def __init__(
        self,
        journal: Journal,
        kind: type[R],
        key_of: Callable[[P], str],
        value_of: Callable[[R | None], V],
        row_of: Callable[[str, datetime, P, V], R],
        most: int = MOST_ROWS,
    ) -> None:
        self._journal = journal
        self._kind = kind
        self._key_of = key_of
        self._value_of = value_of
        self._row_of = row_of
        self._most = most
        self._era = 0
        self._kept: dict[P, V] = {}

    def begin(self, era: int) -> None:
        """Forget all rows, and go on with those of an era."""
        self._era = era
        self._kept.clear()

    async def of(self, places: Collection[P]) -> Mapping[P, V]:
        """Return the values of some places, which the caller may change until `changed`."""
        missing = {self._key(each): each for each in places if each not in self._kept}
        if missing:
            found: Mapping[str, Any] = await self._journal.rows(self._kind, missing)
            for key, place in missing.items():
                self._kept[place] = self._value_of(found.get(key))
        return {each: self._kept[each] for each in places}

    def changed(self, values: Mapping[P, V]) -> Iterable[R]:
        """Keep changed values, and return their rows."""
        for place, value in values.items():
            self._kept.pop(place, None)
            self._kept[place] = value
            yield self._row_of(self._key(place), era_at(self._era), place, value)
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def _key(self, place: P) -> str:
        return f"{self._era}|{self._key_of(place)}"
