"""Durations and rates, in the notation of templates: `10m`, `5/1d` (C-16)."""

from __future__ import annotations

import re
from datetime import timedelta

from attrs import field, frozen

_UNITS = {
    "ms": timedelta(milliseconds=1),
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
_DURATION = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")
_RATE = re.compile(r"([0-9]{1,9})/([0-9]{0,9})(ms|s|m|h|d)")
# Ten years: longer values are typing errors, and shorter ones cannot overflow date arithmetic.
LONGEST_DURATION = timedelta(days=3660)


@frozen
class Duration:
    """
    A span of time, `<n><unit>` with the units `ms`, `s`, `m`, `h`, `d`; from zero to ten years.

    The value keeps its spelling. Raises `ValueError` for any other text.
    """

    text: str
    span: timedelta = field(init=False, repr=False)

    @span.default
    def _parse(self) -> timedelta:
        found = _DURATION.fullmatch(self.text)
        if found is None:
            raise ValueError("must be a duration such as 30s, 10m or 1d (units ms, s, m, h, d)")
        return _span(int(found[1]), found[2])

    def __str__(self) -> str:
        return self.text


@frozen
class Rate:
    """
    A limit over a sliding window, `<count>/<n><unit>`, where n may be left out: `1/s`, `5/1d`.

    The value keeps its spelling. Raises `ValueError` for any other text.
    """

    text: str
    count: int = field(init=False, repr=False)
    window: timedelta = field(init=False, repr=False)

    @count.default
    def _parse_count(self) -> int:
        count = int(self._match()[1])
        if count < 1:
            raise ValueError("must allow at least 1, for example 1/3s")
        return count

    @window.default
    def _parse_window(self) -> timedelta:
        found = self._match()
        window = _span(int(found[2] or 1), found[3])
        if not window:
            raise ValueError("must have a window above zero, for example 1/3s")
        return window

    def _match(self) -> re.Match[str]:
        found = _RATE.fullmatch(self.text)
        if found is None:
            raise ValueError("must be a rate such as 1/3s, 5/1d or 1/s (units ms, s, m, h, d)")
        return found

    def __str__(self) -> str:
        return self.text


def _span(count: int, unit: str) -> timedelta:
    # A division cannot overflow.
    if count > LONGEST_DURATION / _UNITS[unit]:
        raise ValueError(f"must be at most {LONGEST_DURATION.days}d")
    return count * _UNITS[unit]
