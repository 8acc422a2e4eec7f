"""
Match a text with a registered DLT text, whose variables take any values (C-30).

Between variables every character counts, including white space and case. A variable stands for 0 to 30
characters, the limit of India's operators. For longer values an author registers several variables in a
row; the last ones may be empty (D-75).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from attrs import field, frozen

VARIABLE = "{#var#}"
LONGEST_VALUE = 30

T = TypeVar("T")


@frozen
class DltText:
    """A registered text, split at its variables."""

    text: str
    segments: tuple[str, ...] = field(init=False, repr=False)
    longest: str = field(init=False, repr=False)

    @segments.default
    def _split(self) -> tuple[str, ...]:
        return tuple(self.text.split(VARIABLE))

    @longest.default
    def _find_longest(self) -> str:
        return max(self.segments, key=len)

    def matches(self, body: str, places: Mapping[str, int] | None = None) -> bool:
        """
        Return whether the text, with its variables filled in, can be `body`.

        The search follows all values at once, with one bit for each position in the body. It
        therefore never takes more steps than this text has characters. A caller that compares
        several texts with one body passes `places`.
        """
        first, *rest = self.segments
        if not rest:
            return body == first
        if not (body.startswith(first) and body.endswith(rest[-1])):
            return False
        held = places_of(body) if places is None else places
        within = (1 << len(body) + 1) - 1
        reached = 1 << len(first)
        for segment in rest:
            reached = _after_a_variable(reached) & within
            for character in segment:
                reached = (reached & held.get(character, 0)) << 1
                if not reached:
                    return False
        return bool(reached >> len(body))


def places_of(body: str) -> Mapping[str, int]:
    """Return the positions of each character in a body: bit n stands for position n."""
    places: dict[str, int] = defaultdict(int)
    for number, character in enumerate(body):
        places[character] |= 1 << number
    return places


def _after_a_variable(reached: int) -> int:
    """Move each position forward by 0 to `LONGEST_VALUE` characters."""
    done = 0
    while done < LONGEST_VALUE:
        further = min(done + 1, LONGEST_VALUE - done)
        reached |= reached << further
        done += further
    return reached


class DltTexts(Generic[T]):
    """Many registered texts, each with a value."""

    def __init__(self, texts: Iterable[tuple[str, T]]) -> None:
        self._by_beginning: dict[str, list[tuple[DltText, T]]] = defaultdict(list)
        for text, value in texts:
            compared = DltText(text)
            self._by_beginning[compared.segments[0]].append((compared, value))
        self._lengths = sorted({len(each) for each in self._by_beginning})

    def matching(self, body: str) -> Iterator[T]:
        """Yield the values of the texts that match `body`."""
        places: Mapping[str, int] | None = None
        for length in self._lengths:
            if length > len(body):
                return
            for text, value in self._by_beginning.get(body[:length], ()):
                # A search for the longest segment is fast and rules out most texts.
                if text.longest in body:
                    places = places or places_of(body)
                    if text.matches(body, places):
                        yield value
