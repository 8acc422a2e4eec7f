"""Check the people of an append: its new people are unknown, and those that it names are there (C-74)."""

from __future__ import annotations

from ....application.ports.event_store import Append, PersonGone, PersonKnown, PersonRecord
from .facts import Facts


def check_people(append: Append, facts: Facts) -> None:
    """Raise `PersonKnown` if a new person is known, and `PersonGone` if one to erase is not there."""
    if append.new_people:
        # An append that names one HMAC twice would seal for a person whose record is replaced at once.
        known: dict[str, PersonRecord] = {}
        fresh: dict[str, PersonRecord] = {}
        for person in append.new_people:
            first = fresh.setdefault(person.hmac, person)
            found = facts.people.get(person.hmac, None if first is person else first)
            if found is not None:
                known[person.hmac] = found
        if known:
            raise PersonKnown(tuple(known.values()))
    for person_id in append.erasing:
        if person_id not in facts.living:
            raise PersonGone(person_id)


def check_lives(person_id: str, append: Append, facts: Facts) -> None:
    """Raise `PersonGone` unless the person is there or is new in this append."""
    if person_id not in facts.living and not any(
        person.person_id == person_id for person in append.new_people
    ):
        raise PersonGone(person_id)


def apply_people(append: Append, facts: Facts, written: dict[str, PersonRecord | None]) -> None:
    """Add the people that are new in an append and remove those whom it erases; `written` is by HMAC."""
    for person in append.new_people:
        facts.people[person.hmac] = written[person.hmac] = person
        facts.living[person.person_id] = person.hmac
    for person_id in append.erasing:
        hmac = facts.living.pop(person_id, None)
        if hmac is not None:
            facts.people.pop(hmac, None)
            written[hmac] = None
