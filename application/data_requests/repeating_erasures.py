"""Erase people whom nobody asked to erase now: again after a restore, or because their keys are lost."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from ...domain.person import ErasePerson, erase, person_decider
from ..caller import Caller
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.event_store import Due, PersonRecord
from .erasure_stages import first_due

# The events and due rows of a batch make one append.
AT_ONCE = 100


async def repeat_erasures(
    journal: Journal, by: Caller, clock: Clock, person_ids: Iterable[str]
) -> int:
    """
    Erase those of some people whom a backup brought back; return how many there were (C-74).

    The keys are gone on return. The worker does the rest, as after the first erasure.
    """
    erased = 0
    listed = iter(person_ids)
    while some := set(islice(listed, AT_ONCE)):
        back = await journal.people_named(some)
        await erase_all(journal, by, clock, back.values())
        erased += len(back)
    return erased


async def erase_all(
    journal: Journal,
    by: Caller,
    clock: Clock,
    people: Iterable[PersonRecord],
    dropping: tuple[str, ...] = (),
) -> None:
    """Erase at most `AT_ONCE` people in one append, which also drops seal keys."""
    now = clock.now()
    changes, due, erasing = [], list[Due](), []
    for person in people:
        decision = erase(ErasePerson(at=now, account_id=person.account_id))
        changes.append(beginning(person_decider, person.person_id, decision))
        due += first_due(person.person_id, now)
        erasing.append(person.person_id)
    if erasing or dropping:
        await journal.write(
            by, now, *changes, erasing=tuple(erasing), dropping=dropping, due=tuple(due)
        )
