"""The large posts of providers that are held in memory at once; anybody can begin one (C-70)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from ....application.errors import UnavailableError

MAX_POST = 4 * 1024 * 1024
# Nearly all posts are smaller, and need no place.
SMALL_POST = 64 * 1024
MOST_LARGE_POSTS = 32


class LargePosts:
    """Counts the large posts that are read at once, and limits them."""

    def __init__(self) -> None:
        self._taken = 0

    @contextmanager
    def place(self, request: web.Request) -> Iterator[None]:
        """Hold a place while the block runs; raises `UnavailableError` for a large post without a place."""
        if _is_small(request):
            yield
            return
        if self._taken >= MOST_LARGE_POSTS:
            raise UnavailableError
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


LARGE_POSTS = web.AppKey("large_posts", LargePosts)


def _is_small(request: web.Request) -> bool:
    """Return whether a body is small; one that announces no size, and is not here yet, may be large."""
    length = request.content_length
    return request.content.is_eof() if length is None else length <= SMALL_POST
