"""Makes the keys of an append's owners ready, so that packing it can seal without waiting (C-73)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Protocol

from msgspec.structs import replace

from ....application.ports.event_store import Append, PersonGone, PersonRecord
from ....application.ports.sealer import SealBrokenError, SealKey, is_person
from ....domain.conditions import PersonLives
from ...vault import Vault


class KeyStore(Protocol):
    """Where the wrapped keys are."""

    async def stored_keys(self, owners: Collection[str]) -> Mapping[str, SealKey]:
        """Return the keys of those owners that have one, by owner."""
        ...

    async def keep_key(self, key: SealKey) -> SealKey:
        """Store the key of an owner that is no person, unless there is one; return the stored key."""
        ...


class OwnerKeys:
    """
    Keeps a vault ready for the owners of appends, and appends true to the people they seal for.

    A key that the vault remembers costs no read. Accounts and the store get a key when they first need
    one; a person has one from the start, and another node may have erased the person meanwhile. So
    every append for a person carries the condition that the person lives (C-74, D-317).
    """

    def __init__(self, vault: Vault, store: KeyStore) -> None:
        self._vault = vault
        self._store = store

    async def ready(self, append: Append, owners: Collection[str]) -> Append:
        """
        Return the append with its conditions; until the next `await`, the vault can seal for the owners.

        Raises `PersonGone` for a person whom the store does not have.
        """
        if not owners:
            return append
        await self.remember(owners, append.new_people)
        new = {person.person_id for person in append.new_people}
        lives = [PersonLives(each) for each in owners if is_person(each) and each not in new]
        return replace(append, conditions=(*append.conditions, *lives)) if lives else append

    async def remember(
        self, owners: Collection[str], new_people: Collection[PersonRecord] = ()
    ) -> None:
        """Have the vault remember the keys of owners; `new_people` are people whom no store knows yet."""
        missing = {each for each in owners if not self._vault.remembers(each)}
        if not missing:
            return
        keys = {each.person_id: each.key for each in new_people if each.person_id in missing}
        if unknown := missing - keys.keys():
            found = await self._store.stored_keys(unknown)
            keys.update(found)
            for each in sorted(unknown - found.keys()):
                keys[each] = await self._made(each)
        self._vault.learn(keys.values())

    def learn(self, people: Iterable[PersonRecord]) -> None:
        """Remember the keys of people who were just read, since they are looked up to be sealed for."""
        for each in people:
            if not self._vault.remembers(each.person_id) and self._vault.hidden(each.key) is None:
                # Sealing for the person will say that a key is broken.
                with suppress(SealBrokenError):
                    self._vault.learn([each.key])

    def erased(self, people: Iterable[str]) -> None:
        """Forget the keys of people who are gone."""
        for each in people:
            self._vault.forget(each)

    async def _made(self, owner: str) -> SealKey:
        if is_person(owner):
            raise PersonGone(owner)
        return await self._store.keep_key(self._vault.new_key(owner))
