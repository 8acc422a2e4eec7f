"""What commands that run until they are stopped have in common."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import field, frozen

from ..settings import SettingsError


@frozen(kw_only=True)
class Listener:
    """Where and how the endpoint is reached."""

    host: str
    port: int
    public_url: str | None
    drain_timeout: float
    admin_token: str | None = field(repr=False)
    sandbox_public: bool

    def base(self, port: int) -> str:
        """Give the address that clients use, once the port is known."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.public_url or f"http://{host}:{port}").rstrip("/")


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a command's work on the fastest event loop there is."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def until_stopped() -> None:
    """Wait for SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await stop.wait()


@contextmanager
def listening_on(host: str, port: int, flag: str) -> Iterator[None]:
    """Say in a sentence why a port cannot be bound."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {host}:{port}: {_reason(error)}. Choose another --host or {flag}."
        ) from None


def _reason(error: OSError) -> str:
    # The event loop wraps the system's words in its own; names that cannot be resolved have no others.
    known = not isinstance(error, socket.gaierror) and error.errno
    return os.strerror(known) if known else str(error.strerror)
