"""Compare the people whom events name with those whom the store knows (C-74, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from ...domain.conditions import PASS_STEP
from ...domain.person import ErasedPerson
from ...domain.pin import Pin, PinVerified
from ..ports.person_keys import PersonKeys
from ..ports.sealer import KeyState
from ..ports.snapshot import KeptEvent, KeptPerson, Snapshot
from .differences import Difference, Kind
from .lookahead import Lookahead
from .numbers import numbers_in
from .pruned_positions import NOTHING_PRUNED, PrunedPositions
from .sorting import Entry, Sorting

# What an entry says of a person. Entries are sorted, so those of an erasure come first.
_ERASED, _FINISHED, _LEFT, _BLANK, _NAMED, _NUMBER, _VERIFIED = map(str, range(7))

# What may still have something of an erased person, as `leave` is told.
_LEFT_IN = ("row ", "holder ")


class NamedPeople:
    """
    Reads all events, and compares the people in them with the store's table of people.

    A person whom an event names has a key until the erasure, which is an event too. Without the key
    nothing opens what is sealed for the person; with a key after the erasure, something still would. The
    append with a new person names the person in an event, so nobody else is in the table. A person passes
    rules of the guard since a verification that is an event (D-417). With `keys`, the HMAC that leads to a
    person is that of the person's number.
    """

    def __init__(
        self,
        keys: PersonKeys | None = None,
        pruned: PrunedPositions = NOTHING_PRUNED,
        sorting: Callable[[], Sorting] = Sorting,
    ) -> None:
        self._people = sorting()
        self._keys = keys
        # A person stays, of whom all events were dropped.
        self._dropped = bool(pruned.dropped.size)
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
        if isinstance(kept.event, PinVerified) and isinstance(state, Pin) and not state.test:
            self._add(state.person_id, _VERIFIED, kept.event.at.isoformat())
        if self._keys is None or kept.event is None or kept.account is None:
            return
        for person_id, number in numbers_in(kept.event):
            self._add(person_id, _NUMBER, self._keys.hmac(kept.account, number))

    def finish(self, person_id: str) -> None:
        """Note that nothing of an erased person may be left in rows and holders."""
        self._people.add(person_id, _FINISHED, "")

    def leave(self, person_id: str, what: str) -> None:
        """Note a row or holder that still has something of a person without a key."""
        self._people.add(person_id, _LEFT, what)

    def blank(self, person_id: str, what: str) -> None:
        """Note what says nothing of a person any more, as if the person were erased."""
        self._people.add(person_id, _BLANK, what)

    async def differences(self, snapshot: Snapshot) -> AsyncIterator[Difference]:
        """Yield the differences of the people in events from those in the store's table."""
        await self._people.ready()
        people = Lookahead(snapshot.people(), _id)
        for person_id, entries in groupby(self._people.sorted(), key=_first):
            async for unnamed in people.before(person_id):
                for each in self._unnamed(unnamed):
                    yield each
            for each in self._compared(person_id, entries, await people.under(person_id)):
                yield each
        async for unnamed in people.before(None):
            for each in self._unnamed(unnamed):
                yield each

    def close(self) -> None:
        """Drop the sorted data."""
        self._people.close()

    def _compared(
        self, person_id: str, entries: Iterable[Entry], found: list[KeptPerson]
    ) -> Iterable[Difference]:
        """Compare one person; what the entries say of an erasure comes first."""
        said: dict[str, set[str]] = {}
        for _, how, what in entries:
            if how == _LEFT:
                if _FINISHED in said:
                    yield _difference(
                        person_id, what, "nothing, after the erasure", "a text or an HMAC"
                    )
            elif how == _BLANK:
                if found and _ERASED not in said:
                    yield _difference(person_id, what, "a sealed text", "none")
            else:
                said.setdefault(how, set()).add(what)
        if _ERASED in said:
            if found:
                yield _difference(person_id, "", "no key, after the erasure", "a key")
        elif not found:
            yield _difference(person_id, "", "a key", "none")
        else:
            yield from self._known_differences(found[0], said)

    def _known_differences(
        self, kept: KeptPerson, said: dict[str, set[str]]
    ) -> Iterable[Difference]:
        """Compare the table's entry of a person with the accounts and HMACs that follow from events."""
        if _NAMED not in said:
            yield from self._unnamed(kept)
        if kept.key not in (KeyState.OPENS, KeyState.UNKNOWN):
            yield _difference(kept.person_id, "key", KeyState.OPENS, kept.key)
        for account_id in sorted(said.get(_NAMED, ())):
            if account_id != kept.account_id:
                yield _difference(kept.person_id, "account", account_id, kept.account_id)
        if any(each != kept.hmac for each in said.get(_NUMBER, ())):
            yield _difference(kept.person_id, "hmac", "that of the person's number", "another")
        yield from self._pass_differences(kept, said.get(_VERIFIED, ()))

    def _pass_differences(self, kept: KeptPerson, verified: Iterable[str]) -> Iterable[Difference]:
        """Compare the kept time of the last verification, at most a day too early, with those in events."""
        times = {datetime.fromisoformat(each) for each in verified}
        last, found = max(times, default=None), kept.verified_at
        known = found in times or (self._dropped and found is not None)
        if known and found is not None and (last is None or last - found < PASS_STEP):
            return
        if last != found:
            yield _difference(kept.person_id, "verified_at", str(last), str(found))

    def _unnamed(self, kept: KeptPerson) -> Iterable[Difference]:
        if not self._dropped:
            yield _difference(kept.person_id, "", "an event that names the person", "none")

    def _add(self, *entry: str) -> None:
        # Every event of a stream names the same person.
        if entry not in self._taken:
            self._taken.add(entry)
            self._people.add(*entry)


def is_left_of_person(difference: Difference) -> bool:
    """Return whether a difference is a row or a holder that still has something of an erased person."""
    return difference.kind is Kind.PERSON and difference.field.startswith(_LEFT_IN)


def _difference(person_id: str, field: str, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.PERSON, what="Person", id=person_id, field=field, expected=expected, found=found
    )


def _id(person: KeptPerson) -> str:
    return person.person_id


def _first(entry: Entry) -> str:
    return entry[0]
