"""Values that must not be guessed: ids, keys, and evenly drawn codes (R6)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby, pairwise

import pytest

from watchword.adapters.randomness import SecretRandomness
from watchword.domain.pin_template.pin_type import PinType

DRAWN = 20_000
# Chi-square above these happens once in a million runs; degrees of freedom: alphabet - 1.
ONCE_IN_A_MILLION = {9: 45.1, 15: 56.5, 25: 73.6, 30: 81.9}


def test_ids_and_keys_are_long_and_never_the_same() -> None:
    """32 hexadecimal digits for an id, 256 random bits for a key."""
    randomness = SecretRandomness()
    ids = {randomness.new_id("pin") for _ in range(1000)}
    keys = {randomness.new_key() for _ in range(1000)}

    assert (1000, 1000) == (len(ids), len(keys))
    assert all(re.fullmatch(r"pin_[0-9a-f]{32}", each) for each in ids)
    assert all(re.fullmatch(r"ww_[A-Za-z0-9_-]{43}", each) for each in keys)


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_ids_of_one_time_stand_together() -> None:
    """Ids of one moment begin alike, and each has 80 random bits of its own (D-123)."""
    clock = Clock()
    randomness = SecretRandomness(clock)
    ids = []
    for clock.now in range(10):
        ids += [randomness.new_id("pin") for _ in range(1000)]
    beginnings = [beginning for beginning, _ in groupby(each[:16] for each in ids)]

    assert 10 == len(set(beginnings)) == len(beginnings)
    assert len(ids) == len({each[16:] for each in ids})


def test_beginnings_tell_neither_time_nor_order() -> None:
    """They are drawn like the rest: the next is as likely before as behind this one (T12)."""
    clock = Clock()
    randomness = SecretRandomness(clock)
    beginnings = []
    for clock.now in range(300):
        beginnings.append(randomness.new_id("x")[:14])
    rising = sum(one < other for one, other in pairwise(beginnings))

    assert 0.3 < rising / len(beginnings) < 0.7


def test_beginnings_tell_no_count() -> None:
    """Only the clock changes the beginning, however many ids and codes are made (T12)."""
    clock = Clock()
    randomness = SecretRandomness(clock)
    ids = {randomness.new_id(randomness.new_code("0123456789", 2)) for _ in range(10_000)}

    assert 1 == len({each[3:15] for each in ids})


@pytest.mark.parametrize("kind", PinType)
def test_codes_are_drawn_evenly(kind: PinType) -> None:
    """At every position each character comes as often as the others; zeros lead, too."""
    randomness = SecretRandomness()
    codes = [randomness.new_code(kind.alphabet, 6) for _ in range(DRAWN)]
    expected = DRAWN / len(kind.alphabet)
    for position in range(6):
        counts = Counter(code[position] for code in codes)
        chi_square = sum((counts[each] - expected) ** 2 / expected for each in kind.alphabet)

        assert chi_square < ONCE_IN_A_MILLION[len(kind.alphabet) - 1]
    assert {6} == {len(code) for code in codes}


def test_two_sources_give_different_values() -> None:
    """Nothing is seeded."""
    first, second = SecretRandomness(), SecretRandomness()

    assert first.new_code("0123456789", 10) + first.new_id("x") != (
        second.new_code("0123456789", 10) + second.new_id("x")
    )
