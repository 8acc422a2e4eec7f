"""Renew the lease on an Idempotency-Key while its request is in progress (C-10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from .ports.event_store import LEASE_SECONDS

_RENEW_SECONDS = LEASE_SECONDS / 3


class LeaseRenewal:
    """Calls `renew` every third of a lease inside the `with` block."""

    def __init__(self, renew: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._renew = renew
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None

    def __enter__(self) -> None:
        self._timer = self._loop.call_later(_RENEW_SECONDS, self._due)

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _due(self) -> None:
        self._task = self._loop.create_task(self._renew())
        self._timer = self._loop.call_later(_RENEW_SECONDS, self._due)
