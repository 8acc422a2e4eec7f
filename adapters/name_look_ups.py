"""Resolves names with the system's resolver, on threads because a name server may hang."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

# A name server that hangs occupies threads; these are for look-ups only, and enough for several.
_THREADS = 64


class NameLookUps:
    """Resolves each name once for all callers that want it at the same time."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None
        self._running: dict[str, asyncio.Future[Sequence[str]]] = {}

    async def addresses(self, host: str) -> Sequence[str]:
        """Return the addresses of a name, as texts; raises `OSError`."""
        look_up = self._running.get(host)
        if look_up is None:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(_THREADS, "look-up")
            look_up = asyncio.get_running_loop().run_in_executor(self._threads, _addresses_of, host)
            self._running[host] = look_up
            look_up.add_done_callback(partial(self._forget, host))
        # Calls for one name share a thread and its result, so a cancelled caller does not stop it.
        return await asyncio.shield(look_up)

    def close(self) -> None:
        """Drop the look-ups that have not begun, do not wait for others, and end the threads."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)

    def _forget(self, host: str, look_up: asyncio.Future[Sequence[str]]) -> None:
        del self._running[host]
        if not look_up.cancelled():
            # Retrieve the error: callers that still wait get it, and without callers it is dropped.
            look_up.exception()


def _addresses_of(host: str) -> Sequence[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
