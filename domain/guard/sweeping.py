"""Drop what is over from a long list of things, a few at each step."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def sweep(held: OrderedDict[K, V], is_over: Callable[[V], bool], most: int) -> None:
    """
    Look at the `most` that were looked at the longest ago; drop those that are over.

    Looking at all of them at once would hold up everything else (C-94). With one more at each step and
    two looked at, at most half of what is held is over.
    """
    for _ in range(min(most, len(held))):
        key = next(iter(held))
        if is_over(held[key]):
            del held[key]
        else:
            held.move_to_end(key)
