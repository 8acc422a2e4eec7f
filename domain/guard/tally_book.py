"""The tallies of many budgets in memory, as a store keeps them in a table."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta

from attrs import define, field

from .code_sends import Budget
from .sweeping import sweep
from .tallies import Tally, bucket_at, oldest_bucket, reached_until


@define
class _Book:
    window: timedelta
    tallies: dict[int, Tally] = field(factory=dict)


class TallyBook:
    """Counts sends and verifications by the names of budgets."""

    def __init__(self) -> None:
        self._books: OrderedDict[str, _Book] = OrderedDict()

    def is_reached(self, budget: Budget, at: datetime) -> bool:
        """Return whether a budget has no room for one more."""
        book = self._books.get(budget.name)
        return book is not None and reached_until(book.tallies, budget.rate, at) is not None

    def add(self, budget: Budget, at: datetime) -> None:
        """Count a send."""
        book = self._books.get(budget.name)
        if book is None:
            book = self._books[budget.name] = _Book(budget.rate.window)
        bucket = bucket_at(at, book.window)
        sent, verified = book.tallies.get(bucket, Tally())
        book.tallies[bucket] = Tally(sent + 1, verified)

    def give_back(self, name: str, sent_at: datetime) -> None:
        """Count a send as verified; a count that began anew since then stays right."""
        book = self._books.get(name)
        if book is None:
            return
        bucket = bucket_at(sent_at, book.window)
        tally = book.tallies.get(bucket)
        if tally is not None and tally.verified < tally.sent:
            book.tallies[bucket] = Tally(tally.sent, tally.verified + 1)

    def start_anew(self, name: str) -> None:
        """Count from zero."""
        self._books.pop(name, None)

    def names(self) -> list[str]:
        """Return the names of the budgets that count anything."""
        return list(self._books)

    def tidy(self, at: datetime, most: int) -> None:
        """Drop the buckets that no window reaches any more, of at most so many budgets."""

        def is_over(book: _Book) -> bool:
            # A clock may have been set back by a window.
            oldest = oldest_bucket(at - book.window, book.window)
            for bucket in [each for each in book.tallies if each < oldest]:
                del book.tallies[bucket]
            return not book.tallies

        sweep(self._books, is_over, most)
