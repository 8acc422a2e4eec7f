"""Sorting of more than fits into memory."""

from __future__ import annotations

from contextlib import closing

from watchword.application.audit.counted.sorting_beside_service import SortingBesideService
from watchword.application.audit.sorting import Sorting


def test_more_than_is_held_comes_back_in_order() -> None:
    """Runs on disk are merged with the items in memory, for every reader."""
    with closing(Sorting(held=3)) as sorting:
        for word in ("tea", "pot", "é", "cup", "tea", "two\nlines", "leaf"):
            sorting.add(word, "shelf")

        for _ in range(2):
            assert ["cup", "leaf", "pot", "tea", "tea", "two\nlines", "é"] == [
                word for word, _ in sorting.sorted()
            ]


def test_the_greatest_may_come_first() -> None:
    """Runs and items are merged the other way round."""
    with closing(Sorting(held=2, descending=True)) as sorting:
        for word in ("tea", "pot", "cup", "tea", "leaf"):
            sorting.add(word)

        assert ["tea", "tea", "pot", "leaf", "cup"] == [word for (word,) in sorting.sorted()]


async def test_beside_a_service_runs_are_merged_on_threads() -> None:
    """Few entries are sorted at a time, and all of them come back in order, more than once."""
    with closing(SortingBesideService()) as sorting:
        for number in range(130_001):
            sorting.add(f"{number * 7_919 % 130_001:06}")
        await sorting.ready()

        for _ in range(2):
            numbers = [int(each) for (each,) in sorting.sorted()]
            assert [*range(130_001)] == numbers
