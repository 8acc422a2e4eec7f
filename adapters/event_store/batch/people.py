"""Check the people of an append: its new people are unknown, and those that it names are there (C-74)."""

from __future__ import annotations

from datetime import datetime

from attrs import evolve

from ....application.ports.event_store import (
    Append,
    PassMoved,
    PersonGone,
    PersonKnown,
    PersonRecord,
)
from ....domain.conditions import PASS_STEP, VerifiedAfter, Verifies
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


def check_verified(condition: VerifiedAfter, facts: Facts) -> None:
    """Raise `PassMoved` unless the person's last verification is as expected; a new person has none."""
    verified_at = facts.verified.get(condition.person_id)
    if (verified_at is not None and verified_at > condition.after) != condition.holds:
        raise PassMoved(condition.person_id, verified_at)


def apply_verified(
    condition: Verifies,
    facts: Facts,
    people: dict[str, PersonRecord | None],
    verified: dict[str, datetime],
) -> None:
    """Keep the time of a verification, unless the person is gone or verified less than a day before."""
    hmac = facts.living.get(condition.person_id)
    last = facts.verified.get(condition.person_id)
    if hmac is None or (last is not None and condition.at - last < PASS_STEP):
        return
    facts.verified[condition.person_id] = condition.at
    if (known := facts.people.get(hmac)) is not None:
        facts.people[hmac] = evolve(known, verified_at=condition.at)
    if (added := people.get(hmac)) is not None:
        # One row is written once.
        people[hmac] = evolve(added, verified_at=condition.at)
    else:
        verified[hmac] = condition.at


def apply_people(
    append: Append,
    facts: Facts,
    written: dict[str, PersonRecord | None],
    verified: dict[str, datetime],
) -> None:
    """Add an append's new people, and remove those whom it erases; what is written is by HMAC."""
    for person in append.new_people:
        facts.people[person.hmac] = written[person.hmac] = person
        facts.living[person.person_id] = person.hmac
    for person_id in append.erasing:
        hmac = facts.living.pop(person_id, None)
        if hmac is not None:
            facts.people.pop(hmac, None)
            facts.verified.pop(person_id, None)
            verified.pop(hmac, None)
            written[hmac] = None
