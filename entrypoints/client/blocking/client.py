"""The client: its settings, and its groups of calls."""

from __future__ import annotations

import random as chance
import ssl
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self
from uuid import uuid4

import httpx2

from ..options import Options, checked_key, checked_pace, checked_size, checked_url
from .calling import Calling
from .connection import Connection
from .media import Media
from .messages import Messages
from .opt_lists import OptLists
from .pins import Pins, PinTemplates
from .templates import RcsTemplates, WhatsappTemplates


class Client:
    """
    A client of the service at `url`, which may have a path, by an API key.

    `timeout` is the deadline of a call with all its attempts, `attempt_timeout` that of one attempt, in
    seconds; each call may have a `timeout` of its own. An answer has at most `max_answer_bytes`.
    Redirects are not followed. `transport`, `clock` (monotonic seconds), `sleep`, `random` (from 0 to 1) and
    `new_key` (a new Idempotency-Key) are for tests and special networks. Raise `ValueError` for settings that
    cannot be. Close it with `close`, or use it in `with`.
    """

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        attempt_timeout: float = 12.0,
        attempts: int = 8,
        max_answer_bytes: int = 32 * 1024 * 1024,
        ssl_context: ssl.SSLContext | None = None,
        transport: httpx2.BaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = chance.random,
        new_key: Callable[[], str] = lambda: str(uuid4()),
    ) -> None:
        options = Options(
            url=checked_url(url),
            api_key=checked_key(api_key),
            pace=checked_pace(timeout, attempt_timeout, attempts),
            max_answer_bytes=checked_size(max_answer_bytes),
            clock=clock,
            random=random,
            new_key=new_key,
        )
        self._url = options.url
        self._connection = Connection(options, ssl_context, transport)
        calling = Calling(options, self._connection, sleep)
        self.pins = Pins(calling)
        self.pin_templates = PinTemplates(calling)
        self.messages = Messages(calling)
        self.opt_lists = OptLists(calling)
        self.rcs_templates = RcsTemplates(calling)
        self.whatsapp_templates = WhatsappTemplates(calling)
        self.media = Media(calling)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._url!r})"

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()
