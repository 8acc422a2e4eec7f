"""A process remembers the people whom it met last, within a bound."""

from __future__ import annotations

from watchword.application.ports.event_store import PersonRecord
from watchword.application.ports.sealer import SealKey
from watchword.application.remembered_people import RememberedPeople


def record(number: int, person_id: str | None = None) -> PersonRecord:
    """Return the record of a person."""
    person_id = person_id or f"per_{number}"
    return PersonRecord(person_id, "acc_1", f"hmac-{number}", SealKey(person_id, 1, b"wrapped"))


def test_the_longest_unused_is_forgotten_first() -> None:
    """Memory is bounded; a person who was asked for stays."""
    people = RememberedPeople(2)
    people.learn([record(1), record(2)])
    people.get("hmac-1")
    people.learn([record(3)])

    assert ["per_1", None, "per_3"] == [people.get(f"hmac-{each}") for each in (1, 2, 3)]


def test_a_forgotten_person_is_unknown() -> None:
    """After an erasure, the next request meets a new person."""
    people = RememberedPeople()
    people.learn([record(1)])
    people.forget("per_1")
    people.forget("per_1")

    assert people.get("hmac-1") is None


def test_a_person_who_was_met_anew_takes_the_place_of_the_erased_one() -> None:
    """An HMAC has one person; forgetting the one before changes nothing."""
    people = RememberedPeople()
    people.learn([record(1)])
    people.learn([record(1, "per_new")])
    people.forget("per_1")

    assert "per_new" == people.get("hmac-1")
