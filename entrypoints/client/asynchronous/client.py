"""The client: its settings, and its groups of calls."""

from __future__ import annotations

import asyncio
import random as chance
import ssl
import time
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self
from uuid import uuid4

import httpx2

from ..options import Options, checked_key, checked_pace, checked_size, checked_url
from .calling import AsyncCalling
from .connection import AsyncConnection
from .media import AsyncMedia
from .messages import AsyncMessages
from .opt_lists import AsyncOptLists
from .pins import AsyncPins, AsyncPinTemplates
from .templates import AsyncRcsTemplates, AsyncWhatsappTemplates


class AsyncClient:
    """
    A client of the service at `url`, which may have a path, by an API key.

    `timeout` is the deadline of a call with all its attempts, `attempt_timeout` that of one attempt, in
    seconds; each call may have a `timeout` of its own. An answer has at most `max_answer_bytes`.
    Redirects are not followed. `transport`, `clock` (monotonic seconds), `sleep`, `random` (from 0 to 1) and
    `new_key` (a new Idempotency-Key) are for tests and special networks. Raise `ValueError` for settings that
    cannot be. Close it with `close`, or use it in `async with`.
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
        transport: httpx2.AsyncBaseTransport | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
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
        self._connection = AsyncConnection(options, ssl_context, transport)
        calling = AsyncCalling(options, self._connection, sleep)
        self.pins = AsyncPins(calling)
        self.pin_templates = AsyncPinTemplates(calling)
        self.messages = AsyncMessages(calling)
        self.opt_lists = AsyncOptLists(calling)
        self.rcs_templates = AsyncRcsTemplates(calling)
        self.whatsapp_templates = AsyncWhatsappTemplates(calling)
        self.media = AsyncMedia(calling)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._url!r})"

    async def __aenter__(self) -> Self:
        """Return the client."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()
