"""Questions to the store, some at once: one after the other, each would wait behind all others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

# More would hold up the reads of the service, which share the threads.
_AT_ONCE = 32


async def gathered(ask: Callable[[T], Awaitable[R]], about: Iterable[T]) -> dict[T, R]:
    """Return the answers by what they are about, in its order; asks about 32 at once."""
    found: dict[T, R] = {}
    left = iter(dict.fromkeys(about))
    while some := tuple(islice(left, _AT_ONCE)):
        found.update(zip(some, await asyncio.gather(*map(ask, some)), strict=True))
    return found
