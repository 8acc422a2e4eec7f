"""Makes calls: again where that does nothing twice, until an answer or the deadline."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ..answers import read
from ..calls import AnswerT, Call
from ..errors.base import WatchwordError
from ..options import Options
from ..requests import Files, prepare
from .connection import Connection

_NO_PATH: Mapping[str, str] = {}


class Calling:
    """Makes the calls of all groups, and repeats them."""

    def __init__(
        self,
        options: Options,
        connection: Connection,
        sleep: Callable[[float], None],
    ) -> None:
        self._options = options
        self._connection = connection
        self._sleep = sleep

    def make(
        self,
        call: Call[AnswerT],
        request: Struct | Mapping[str, object] | None = None,
        *,
        path: Mapping[str, str] = _NO_PATH,
        files: Files | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> AnswerT:
        """Make a call, and return its answer; raise `WatchwordError`."""
        key = self._options.new_key() if idempotency_key is None else idempotency_key
        prepared = prepare(call, request, path=path, files=files, idempotency_key=key)
        attempts = self._options.attempts(call, timeout)
        while True:
            came = self._connection.attempt(prepared, attempts.seconds())
            answer = read(call, came)
            if not isinstance(answer, WatchwordError):
                return answer
            pause = attempts.pause_after(answer)
            if pause is None:
                raise answer
            self._sleep(pause)
