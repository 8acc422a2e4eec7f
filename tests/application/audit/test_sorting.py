"""Sorting of more than fits into memory."""

from __future__ import annotations

from contextlib import closing

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
