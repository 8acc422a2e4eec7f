"""The addresses of a name, as the system finds them: on threads, as a name server may hang."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

# A name server that hangs holds a thread: these are the service's own, and enough for several of them.
_THREADS = 64


class NameLookUps:
    """Asks the system, once for all who want the same name at the same time."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, "look-up")
        self._asking: dict[str, asyncio.Future[Sequence[str]]] = {}

    async def addresses(self, host: str) -> Sequence[str]:
        """Return the addresses of a name, as texts; raises `OSError`."""
        asking = self._asking.get(host)
        if asking is None:
            asking = asyncio.get_running_loop().run_in_executor(self._threads, _addresses_of, host)
            self._asking[host] = asking
            asking.add_done_callback(partial(self._asked, host))
        # Whoever gives up leaves the thread where it is: calls of one name share one, and what it finds.
        return await asyncio.shield(asking)

    def close(self) -> None:
        """Begin nothing more, and wait for nothing."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _asked(self, host: str, asking: asyncio.Future[Sequence[str]]) -> None:
        del self._asking[host]
        if not asking.cancelled():
            # The error goes to the callers that still wait; without any, it is dropped.
            asking.exception()


def _addresses_of(host: str) -> Sequence[str]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
