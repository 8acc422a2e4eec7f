"""After the loss of the code key, erase everybody whom nothing can open any more (D-314)."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.person import ErasePerson, erase, person_decider
from ..caller import Caller
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.event_store import Due
from ..ports.sealer import PERSONS, belongs_to_owner
from .erasure_stages import first_due

# The events and due rows of a batch make one append.
_AT_ONCE = 100


async def drop_people(journal: Journal, by: Caller, clock: Clock, versions: Sequence[int]) -> int:
    """
    Erase the people whose keys these versions of the code key wrap; return how many there were.

    The keys of accounts and of the store under these versions are dropped, and so is the secret that finds
    people: the next start makes a new one, and meets everybody anew.
    """
    erased = 0
    for version in versions:
        passed = ""
        while keys := await journal.keys_under(version, _AT_ONCE, passed):
            passed = keys[-1].name
            names = [each.name for each in keys]
            people = await journal.people_named([n for n in names if n.startswith(PERSONS)])
            others = [n for n in names if belongs_to_owner(n) and n not in people]
            now = clock.now()
            changes, due = [], list[Due]()
            for person in people.values():
                decision = erase(ErasePerson(at=now, account_id=person.account_id))
                changes.append(beginning(person_decider, person.person_id, decision))
                due += first_due(person.person_id, now)
            await journal.write(
                by,
                now,
                *changes,
                erasing=tuple(people),
                dropping=tuple(others),
                due=tuple(due),
            )
            erased += len(people)
    return erased
