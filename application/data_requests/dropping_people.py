"""After the loss of the code key, erase everybody whom nothing can open any more (D-314)."""

from __future__ import annotations

from collections.abc import Sequence

from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.sealer import belongs_to_owner, is_person
from .repeating_erasures import AT_ONCE, erase_all


async def drop_people(journal: Journal, by: Caller, clock: Clock, versions: Sequence[int]) -> int:
    """
    Erase the people whose keys these versions of the code key wrap; return how many there were.

    The keys of accounts and of parked receipts under these versions are dropped, and so is the secret that
    finds people: the next start makes a new one, and everybody is a new person.
    """
    erased = 0
    for version in versions:
        passed = ""
        while keys := await journal.keys_under(version, AT_ONCE, passed):
            passed = keys[-1].name
            names = [each.name for each in keys]
            people = await journal.people_named([*filter(is_person, names)])
            others = [n for n in names if belongs_to_owner(n) and n not in people]
            await erase_all(journal, by, clock, people.values(), tuple(others))
            erased += len(people)
    return erased
