"""A process remembers the people whom it met last, within a bound."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from watchword.application.ports.event_store import PersonRecord
from watchword.application.ports.sealer import SealKey
from watchword.application.remembered_people import RememberedPeople

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


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


def test_the_last_verification_is_kept_to_the_day() -> None:
    """As the store keeps it: one less than a day after the known one is not (D-383)."""
    people = RememberedPeople()
    people.verifies("per_1", NOON)
    people.verifies("per_1", NOON + timedelta(hours=23))
    assert NOON == people.verified_at("per_1")

    people.verifies("per_1", NOON + timedelta(days=1))
    assert NOON + timedelta(days=1) == people.verified_at("per_1")


def test_what_the_store_says_of_a_verification_is_believed() -> None:
    """Also that there is none, as after a restore; a person found by a PIN needs no HMAC."""
    people = RememberedPeople(2)
    for number in range(3):
        people.learn_verified(f"per_{number}", NOON)
    people.learn_verified("per_2", None)

    assert [None, NOON, None] == [people.verified_at(f"per_{each}") for each in range(3)]


def test_an_erased_person_verified_nothing() -> None:
    """Nothing of the person is remembered."""
    people = RememberedPeople()
    people.verifies("per_1", NOON)
    people.forget("per_1")

    assert people.verified_at("per_1") is None
