"""The people and the wrapped keys of a store in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import evolve

from ....application.ports.event_store import PersonRecord
from ....application.ports.sealer import SealKey
from ..batch.facts import Facts


class MemoryPeople:
    """Finds people in the facts that appends are settled by, and keys beside them."""

    _facts: Facts
    _seal_keys: dict[str, SealKey]

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        return self._seal_keys.get(name)

    async def stored_keys(self, owners: Collection[str]) -> Mapping[str, SealKey]:
        """Return the keys of those owners that have one, by owner."""
        return self._keys_of(owners)

    async def keep_key(self, key: SealKey) -> SealKey:
        """Store a key unless there is one of its name; return the stored one."""
        return self._seal_keys.setdefault(key.name, key)

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs."""
        return {hmac: self._facts.people[hmac] for hmac in hmacs if hmac in self._facts.people}

    async def person(self, hmac: str) -> PersonRecord | None:
        """Return the person with this HMAC."""
        return self._facts.people.get(hmac)

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these ids."""
        living = self._facts.living
        return {each: self._facts.people[living[each]] for each in person_ids if each in living}

    async def scrub(self) -> bool:
        """Return True: memory has no files."""
        return True

    async def keys_under(self, version: int, limit: int, after: str = "") -> Sequence[SealKey]:
        """Return keys that a version of the code key wraps, with names behind `after`."""
        found = [key for key in self._all_keys() if key.version == version and key.name > after]
        return sorted(found, key=lambda key: key.name)[:limit]

    async def rewrap(self, keys: Sequence[tuple[SealKey, SealKey]]) -> int:
        """Replace keys that are still as given."""
        replaced = 0
        for old, new in keys:
            if self._seal_keys.get(old.name) == old:
                self._seal_keys[old.name] = new
                replaced += 1
            hmac = self._facts.living.get(old.name)
            if hmac is not None and self._facts.people[hmac].key == old:
                self._facts.people[hmac] = evolve(self._facts.people[hmac], key=new)
                replaced += 1
        return replaced

    async def seals_under(self, version: int) -> bool:
        """Return whether a version of the code key wraps any key."""
        return any(key.version == version for key in self._all_keys())

    def _keys_of(self, owners: Iterable[str]) -> dict[str, SealKey]:
        people, living = self._facts.people, self._facts.living
        keys = {
            each: people[living[each]].key if each in living else self._seal_keys.get(each)
            for each in owners
        }
        return {owner: key for owner, key in keys.items() if key is not None}

    def _all_keys(self) -> Iterator[SealKey]:
        yield from (person.key for person in self._facts.people.values())
        yield from self._seal_keys.values()
