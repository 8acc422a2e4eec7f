"""
Whether a text is what a registered DLT text says, with its variables filled in (C-30).

Between two variables every character counts, white space and case included. A variable stands for
0 to 30 characters, as India's operators have it; for more than that they register several in a row,
of which the last ones may stay empty (D-75).
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
    """A registered text, cut at its variables."""

    text: str
    segments: tuple[str, ...] = field(init=False, repr=False)
    longest: str = field(init=False, repr=False)

    @segments.default
    def _cut(self) -> tuple[str, ...]:
        return tuple(self.text.split(VARIABLE))

    @longest.default
    def _most_telling(self) -> str:
        return max(self.segments, key=len)

    def says(self, body: str, places: Mapping[str, int] | None = None) -> bool:
        """
        Whether the variables can be filled so that this text is `body`.

        All ways to fill them are followed at once, a bit for each place that one of them has come
        to: so no text and no body takes more steps than this one has characters. `places` are the
        body's, where several texts are compared with it.
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
    """Return where each character of a body stands: bit n for the place n."""
    places: dict[str, int] = defaultdict(int)
    for number, character in enumerate(body):
        places[character] |= 1 << number
    return places


def _after_a_variable(reached: int) -> int:
    """Go on from each place by nothing, and by every number of characters up to the most."""
    done = 0
    while done < LONGEST_VALUE:
        further = min(done + 1, LONGEST_VALUE - done)
        reached |= reached << further
        done += further
    return reached


class DltTexts(Generic[T]):
    """Many registered texts, each with what is found under it."""

    def __init__(self, texts: Iterable[tuple[str, T]]) -> None:
        self._by_beginning: dict[str, list[tuple[DltText, T]]] = defaultdict(list)
        for text, value in texts:
            compared = DltText(text)
            self._by_beginning[compared.segments[0]].append((compared, value))
        self._lengths = sorted({len(each) for each in self._by_beginning})

    def saying(self, body: str) -> Iterator[T]:
        """Find those that say `body`."""
        places: Mapping[str, int] | None = None
        for length in self._lengths:
            if length > len(body):
                return
            for text, value in self._by_beginning.get(body[:length], ()):
                # The longest words between variables tell most texts apart, and fastest.
                if text.longest in body:
                    places = places or places_of(body)
                    if text.says(body, places):
                        yield value
