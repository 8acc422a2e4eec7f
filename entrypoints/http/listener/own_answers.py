"""What a listener answers by itself, where no route does."""

from __future__ import annotations

from typing import Protocol

from aiohttp import web

from .open_connections import Admission


class OwnAnswers(Protocol):
    """The words of a listener's own answers, which `http/` gives their documented forms."""

    def no_room(self, admission: Admission, request_id: str) -> bytes:
        """Refuse a connection; the answer is the last on it."""
        ...

    def head_too_large(self, opening: bytes, request_id: str) -> bytes:
        """Refuse a head that is longer than is read of one; the answer is the last on its connection."""
        ...

    def unreadable(
        self, error: BaseException | None, opening: bytes, request_id: str
    ) -> web.Response:
        """Answer a request that began with `opening`, and that the parser refused."""
        ...

    def failed(self, path: str, request_id: str) -> web.Response:
        """Answer a request to `path` that failed outside every route."""
        ...


OWN_ANSWERS: web.AppKey[OwnAnswers] = web.AppKey("own_answers", OwnAnswers)
