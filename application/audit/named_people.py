"""Compare the people whom events name with those whose keys the store has (C-74, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from itertools import groupby
from typing import Any

from ...domain.person import ErasedPerson
from ..ports.snapshot import KeptEvent, KeptPerson, Snapshot
from .differences import Difference, Kind
from .lookahead import Lookahead
from .sorting import Entry, Sorting

_ERASED, _NAMED = "erased", "named"


class NamedPeople:
    """
    Reads all events, and compares the people in them with the store's table of people.

    A person whom an event names has a key until the erasure, which is an event too. Without the key
    nothing opens what is sealed for the person; with a key after the erasure, something still would.
    """

    def __init__(self) -> None:
        self._people = Sorting()
        self._stream = ""
        self._taken: set[Entry] = set()

    def take(self, kept: KeptEvent, state: Any) -> None:
        """Read an event and the state after it; the events of a stream come together."""
        if kept.stream != self._stream:
            self._stream = kept.stream
            self._taken.clear()
        if isinstance(state, ErasedPerson):
            self._add(kept.stream, _ERASED, state.account_id)
        for person_id in kept.people:
            self._add(person_id, _NAMED, kept.account or "")

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Yield the people without a key, with the key of another account, and with one too long."""
        people = Lookahead(snapshot.people(), _id)
        for person_id, entries in groupby(self._people.sorted(), key=_first):
            # A person whom no event names may have been met by an append that sealed only rows.
            async for _ in people.before(person_id):
                pass
            for each in _compared(person_id, entries, await people.under(person_id)):
                yield each

    def close(self) -> None:
        """Drop the sorted data."""
        self._people.close()

    def _add(self, *entry: str) -> None:
        # Every event of a stream names the same person.
        if entry not in self._taken:
            self._taken.add(entry)
            self._people.add(*entry)


def _compared(
    person_id: str, entries: Iterable[Entry], found: list[KeptPerson]
) -> Iterable[Difference]:
    listed = {entry[1:] for entry in entries}
    if any(how == _ERASED for how, _ in listed):
        if found:
            yield _difference(person_id, "", "no key, after the erasure", "a key")
    elif not found:
        yield _difference(person_id, "", "a key", "none")
    else:
        (kept,) = found
        for _, account_id in sorted(listed):
            if account_id != kept.account_id:
                yield _difference(person_id, "account", account_id, kept.account_id)


def _difference(person_id: str, field: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.PERSON, what="Person", id=person_id, field=field, expected=expected, found=found
    )


def _id(person: KeptPerson) -> str:
    return person.person_id


def _first(entry: Entry) -> str:
    return entry[0]
