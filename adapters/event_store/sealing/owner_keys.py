"""Makes the keys of an append's owners ready, so that packing it can seal without waiting (C-73)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Protocol

from msgspec.structs import replace

from ....application.ports.event_store import Append, PersonGone, PersonRecord, StreamConflict
from ....application.ports.sealer import SealBrokenError, SealKey, is_account, is_person
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

    A key that the vault remembers costs no read. An account gets a key when it first needs one; a person
    has one from the start, and another node may have erased the person meanwhile. So every append for a
    person carries the condition that the person lives (C-74, D-317). A stream that owns its texts gets its
    key in the append that begins it, and never a second one (D-358).
    """

    def __init__(self, vault: Vault, store: KeyStore) -> None:
        self._vault = vault
        self._store = store

    async def ready(self, append: Append, owners: Collection[str]) -> Append:
        """
        Return the append with its conditions; until the next `await`, the vault can seal for the owners.

        Raises `PersonGone` for a person whom the store does not have, and `StreamConflict` for a stream
        whose key is gone.
        """
        people = [each for each in owners if is_person(each)]
        if len(people) < len(owners):
            append = self._with_keys_of_streams(append, owners)
        if self._vault.unknown(owners):
            await self.remember(owners, append)
        new = {person.person_id for person in append.new_people}
        lives = [PersonLives(each) for each in people if each not in new]
        return replace(append, conditions=(*append.conditions, *lives)) if lives else append

    async def remember(self, owners: Collection[str], append: Append | None = None) -> None:
        """Have the vault remember the keys of owners; no store knows those that the append adds."""
        missing = self._vault.unknown(owners)
        if not missing:
            return
        keys = {each.name: each for each in _added(append) if each.name in missing}
        if unknown := missing - keys.keys():
            found = await self._store.stored_keys(unknown)
            keys.update(found)
            for each in sorted(unknown - found.keys()):
                keys[each] = await self._made(each, append)
        self._vault.learn(keys.values())

    def learn(self, people: Iterable[PersonRecord]) -> None:
        """Remember the keys of people who were just read, since they are looked up to be sealed for."""
        for each in people:
            if not self._vault.remembers(each.person_id) and self._vault.hidden(each.key) is None:
                # Sealing for the person will say that a key is broken.
                with suppress(SealBrokenError):
                    self._vault.learn([each.key])

    def erased(self, people: Iterable[str]) -> None:
        """Forget the keys of people who are gone, and those of streams, which other nodes drop."""
        for each in people:
            self._vault.forget(each)
        self._vault.forget_streams()

    def dropped(self, names: Iterable[str]) -> None:
        """Forget keys that an append dropped."""
        for each in names:
            self._vault.forget(each)

    def _with_keys_of_streams(self, append: Append, owners: Collection[str]) -> Append:
        begun = [self._vault.new_key(each) for each in _begun(append, owners)]
        return replace(append, keeping=(*append.keeping, *begun)) if begun else append

    async def _made(self, owner: str, append: Append | None) -> SealKey:
        if is_person(owner):
            raise PersonGone(owner)
        if append is not None and owner in _streams(append):
            # Its receipts were matched or dropped meanwhile.
            raise StreamConflict(owner)
        return await self._store.keep_key(self._vault.new_key(owner))


def _begun(append: Append, owners: Collection[str]) -> list[str]:
    """Return the streams that begin in an append and own texts of it."""
    streams = _streams(append)
    kept = {each.name for each in append.keeping}
    return [each for each in owners if streams.get(each) == 0 and each not in kept]


def _streams(append: Append) -> dict[str, int]:
    """Return the streams that may own texts of an append, with the versions that it expects."""
    return {
        each.stream: each.expected_version for each in append.changes if not is_account(each.stream)
    }


def _added(append: Append | None) -> Iterator[SealKey]:
    if append is not None:
        yield from (each.key for each in append.new_people)
        yield from append.keeping
