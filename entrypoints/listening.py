"""Binds ports, and explains in a sentence why one cannot be bound."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager

from .settings import SettingsError


@contextmanager
def listening_on(host: str, port: int, flag: str) -> Iterator[None]:
    """Raise `SettingsError` with a sentence on why a port cannot be bound."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"Cannot listen on {host}:{port}: {_reason(error)}. Choose another --host or {flag}."
        ) from None


async def bound(host: str, port: int, flag: str) -> asyncio.Server:
    """Bind a port without listening (D-151); raises `SettingsError`."""
    loop = asyncio.get_running_loop()
    with listening_on(host, port, flag):
        return await loop.create_server(asyncio.Protocol, host, port, start_serving=False)


async def held(
    stack: AsyncExitStack, host: str, port: int | None, flag: str
) -> Sequence[socket.socket]:
    """Return bound sockets of a port, if one is given; the caller listens on them."""
    if port is None:
        return ()
    server = await bound(host, port, flag)
    stack.callback(server.close)
    # Another server cannot listen on the loop's own socket objects, so duplicate them.
    return [stack.enter_context(each.dup()) for each in server.sockets]


def _reason(error: OSError) -> str:
    # The event loop wraps the system's message in its own, except for names that cannot be resolved.
    known = not isinstance(error, socket.gaierror) and error.errno
    return os.strerror(known) if known else str(error.strerror)
