"""Find the people behind destinations, and make new ones (C-28, C-73)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from attrs import frozen

from ...domain.destination import canonical
from ..concurrency.bulk_lane import BulkWork
from ..journal import Journal
from ..ports.event_store import PersonRecord
from ..ports.person_keys import PersonKeys
from ..ports.sealer import SealKeyMissingError

# People between two pauses of bulk work: few enough for a millisecond.
_AT_ONCE = 16


@frozen
class PersonRef:
    """
    A person for an append.

    `new_people` has the person's record if the append has to add it, and is empty for a known person.
    """

    person_id: str
    new_people: tuple[PersonRecord, ...] = ()


class People:
    """
    Maps destinations of an account to people; all spellings of a number are one person.

    A person who is assumed to be new may be known, and a remembered one may be erased. Then the store
    refuses the append, the journal learns, and `retry_on_conflict` decides again (D-345).
    """

    def __init__(self, journal: Journal, keys: PersonKeys) -> None:
        self._journal = journal
        self._keys = keys

    async def find(self, account_id: str, destination: str) -> str | None:
        """Return the id of a known person, as the store has it now; None if nobody is known."""
        hmac = self._hmac(account_id, destination)
        found = (await self._journal.people((hmac,))).get(hmac)
        return None if found is None else found.person_id

    def recall_or_create(self, account_id: str, destination: str) -> PersonRef:
        """Return a remembered person, or assume that the person is new; reads nothing."""
        return self._recalled_or_new(account_id, self._hmac(account_id, destination))

    async def recall_find_or_create(self, account_id: str, destination: str) -> PersonRef:
        """
        Return a remembered person, or assume that the person is new, as `recall_or_create` does.

        A person whom this process has probably seen and does not remember is looked up: an append that is
        refused and written again costs more (D-372).
        """
        hmac = self._hmac(account_id, destination)
        if self._journal.remembered.has_only_seen(hmac):
            await self._journal.look_up(hmac)
        return self._recalled_or_new(account_id, hmac)

    async def find_or_create(
        self, account_id: str, destinations: Iterable[str], work: BulkWork | None = None
    ) -> Mapping[str, PersonRef]:
        """
        Return a person for each destination; those who are not remembered are found in one read.

        Spellings of one number share one `PersonRef`, so an append adds a new person once. Many
        destinations are bulk `work`: a thousand HMACs and keys would hold up the event loop.
        """
        hmacs: dict[str, str] = {}
        people: dict[str, PersonRef] = {}
        others: dict[str, None] = {}
        for number, each in enumerate(destinations):
            hmac = hmacs[each] = self._hmac(account_id, each)
            known = self._journal.remembered.get(hmac)
            if known is None:
                others[hmac] = None
            else:
                people[hmac] = PersonRef(known)
            if work is not None and not number % _AT_ONCE:
                await work.pause()
        found = await self._journal.people(others.keys())
        for number, hmac in enumerate(others):
            record = found.get(hmac)
            people[hmac] = (
                self._new(account_id, hmac) if record is None else PersonRef(record.person_id)
            )
            if work is not None and not number % _AT_ONCE:
                await work.pause()
        return {destination: people[hmac] for destination, hmac in hmacs.items()}

    async def readable(self, person_ids: Collection[str]) -> Collection[str]:
        """
        Return those people who were not erased.

        Raises `SealKeyMissingError` if this node lacks the code key of one of them: what it reads of that
        person is masked, and another node has to do the work.
        """
        people = await self._journal.people_named(person_ids)
        if any(self._keys.hidden(each.key) is not None for each in people.values()):
            raise SealKeyMissingError
        return people.keys()

    def _hmac(self, account_id: str, destination: str) -> str:
        return self._keys.hmac(account_id, canonical(destination))

    def _recalled_or_new(self, account_id: str, hmac: str) -> PersonRef:
        known = self._journal.remembered.get(hmac)
        return self._new(account_id, hmac) if known is None else PersonRef(known)

    def _new(self, account_id: str, hmac: str) -> PersonRef:
        record = self._keys.new_person(account_id, hmac)
        return PersonRef(record.person_id, (record,))


def new_people_of(people: Iterable[PersonRef]) -> tuple[PersonRecord, ...]:
    """Return the new people among these, each once."""
    new = {record.person_id: record for each in people for record in each.new_people}
    return tuple(new.values())
