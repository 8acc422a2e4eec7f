"""A process has a hint of whom it has seen, in little memory (D-372)."""

from __future__ import annotations

from hashlib import sha256

from watchword.application.seen_people import SeenPeople


def _hmacs(name: str, count: int) -> list[str]:
    return [sha256(f"{name} {number}".encode()).hexdigest()[:32] for number in range(count)]


def test_who_was_added_was_seen() -> None:
    """Nearly all of twenty thousand are found; a later one may have the place of an earlier one."""
    seen = SeenPeople()
    added = _hmacs("tea", 20_000)
    for each in added:
        seen.add(each)

    assert 0.98 < sum(each in seen for each in added) / len(added)
    assert added[-1] in seen


def test_few_others_seem_to_have_been_seen() -> None:
    """A full memory takes one stranger in 255 for somebody; an empty one nobody."""
    seen, others = SeenPeople(), _hmacs("pot", 20_000)
    assert not any(each in seen for each in others)
    seen._prints[:] = bytes(number % 255 + 1 for number in range(len(seen._prints)))

    assert 0.008 > sum(each in seen for each in others) / len(others)
