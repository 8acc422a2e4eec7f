"""Asks the store many questions, 32 at a time: each alone would wait behind the reads of the service."""

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
    """
    Return the answer for each item, without repeats and in order; 32 are asked for at once.

    The first error is raised; the questions that were asked together with it end by themselves.
    """
    found: dict[T, R] = {}
    left = iter(dict.fromkeys(about))
    while some := tuple(islice(left, _AT_ONCE)):
        found.update(zip(some, await asyncio.gather(*map(ask, some)), strict=True))
    return found
