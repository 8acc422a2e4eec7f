"""The prices of a channel account by prefix (C-66, C-103)."""

from __future__ import annotations

from collections.abc import Iterable

from ...destination import canonical
from ...price import Price
from .limits import PrefixPrice


class PriceList:
    """Prices by the beginnings of numbers: the longest beginning counts."""

    def __init__(self, prices: Iterable[PrefixPrice]) -> None:
        self._prices = {each.prefix: each.price for each in prices}
        self._lengths = sorted({len(each) for each in self._prices}, reverse=True)

    def price_of(self, destination: str) -> Price | None:
        """Return the price of a segment; an e-mail address has that of all others."""
        number = canonical(destination)
        if not number.isdecimal():
            return self._prices.get("")
        for length in self._lengths:
            price = self._prices.get(number[:length])
            if price is not None:
                return price
        return None
