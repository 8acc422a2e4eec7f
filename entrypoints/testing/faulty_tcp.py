"""A TCP proxy in front of a counterpart: it refuses, is silent, cuts, drips or delays on request."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress
from types import TracebackType
from typing import Self

_CHUNK = 65_536
_MOST_CONNECTIONS = 256
# The seconds in which a counterpart ends a connection whose client is gone.
_PATIENCE = 5.0
# With these options, closing a socket resets its connection.
_RESET = struct.pack("ii", 1, 0)


class FaultyTcp:
    """
    Forward connections to a port of this machine, with one fault at a time.

    `async with FaultyTcp(port) as proxy:` listens on `proxy.port` of the loopback address. It forwards bytes
    and does not read them, so TLS passes. `sent` counts the bytes of the client that it forwarded,
    `received` those of the counterpart, and `connections` the connections.
    """

    host = "127.0.0.1"

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self._upstream = (host, port)
        self._server: asyncio.Server | None = None
        self._reserved: socket.socket | None = None
        self._open: set[_Connection] = set()
        self._came = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._silent = False
        self._dripping = False
        self._pause = 0.0
        self._left: dict[bool, int] = {}
        self._reset = False
        self.port = 0
        self.sent = self.received = self.connections = 0

    async def __aenter__(self) -> Self:
        """Listen on a port that the system chooses."""
        self._reserved = _bound(self.host, 0)
        self.port = self._reserved.getsockname()[1]
        await self.mend()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close every connection and the port."""
        await self.refuse()
        if self._reserved is not None:
            self._reserved.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def mend(self) -> None:
        """Forward without a fault from now on; connections that missed bytes in a silence are closed."""
        if self._silent:
            self.drop()
        self._silent = self._dripping = False
        self._pause = 0.0
        self._left.clear()
        if self._reserved is not None:
            reserved, self._reserved = self._reserved, None
            self._server = await asyncio.start_server(self._accept, sock=reserved)

    async def refuse(self) -> None:
        """Close all connections and refuse new ones; the port stays reserved."""
        self.drop()
        if self._server is not None:
            self._server.close()
            self._server = None
            self._reserved = _bound(self.host, self.port)

    def drop(self, *, reset: bool = False) -> int:
        """
        Close all connections now, as a counterpart does with idle ones; accept new ones.

        Return how many connections it closed.
        """
        still_open = [each for each in self._open if not each.ended]
        for each in still_open:
            each.end(reset)
        return len(still_open)

    def be_silent(self) -> None:
        """Accept connections and swallow every byte, in both directions."""
        self._silent = True

    def delay(self, seconds: float) -> None:
        """Wait before each piece of data."""
        self._pause, self._dripping = seconds, False

    def drip(self, seconds: float = 0.001) -> None:
        """Forward one byte at a time, and wait before each."""
        self._pause, self._dripping = seconds, True

    def cut(
        self, *, sent: int | None = None, received: int | None = None, reset: bool = False
    ) -> None:
        """
        Close all connections after so many more bytes of the client, or of the counterpart.

        It happens once; new connections are then forwarded as before. `reset` closes as a crash does.
        """
        wanted = {True: sent, False: received}
        self._left = {up: left for up, left in wanted.items() if left is not None}
        self._reset = reset

    @property
    def armed(self) -> bool:
        """Whether a cut is still to come."""
        return bool(self._left)

    async def connected(self) -> None:
        """Wait until a client is connected; the caller sets the time limit."""
        while all(each.ended for each in self._open):
            self._came.clear()
            await self._came.wait()

    async def settled(self) -> None:
        """Wait until the counterpart has ended each connection that was closed here, at most 5 s."""
        ended = [each.done.wait() for each in self._open if each.ended]
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await asyncio.gather(*ended)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._open) >= _MOST_CONNECTIONS:
            writer.transport.abort()
            return
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self.connections += 1
        connection = _Connection(writer)
        self._open.add(connection)
        self._came.set()
        try:
            await self._serve(connection, reader)
        except (OSError, TimeoutError, asyncio.CancelledError):
            pass
        finally:
            connection.abort()
            self._open.discard(connection)

    async def _serve(self, connection: _Connection, reader: asyncio.StreamReader) -> None:
        answers, upstream = await asyncio.open_connection(*self._upstream)
        connection.upstream = upstream
        if connection.ended:
            return
        down = asyncio.create_task(self._pump(connection, answers, up=False))
        try:
            await self._pump(connection, reader, up=True)
            with suppress(OSError):
                upstream.write_eof()
            async with asyncio.timeout(_PATIENCE):
                await down
        finally:
            down.cancel()

    async def _pump(
        self, connection: _Connection, reader: asyncio.StreamReader, *, up: bool
    ) -> None:
        """Forward one direction of a connection until its end."""
        with suppress(ConnectionError):
            while chunk := await reader.read(1 if self._dripping else _CHUNK):
                if self._pause:
                    await asyncio.sleep(self._pause)
                if self._silent or (connection.ended and not up):
                    continue
                if connection.ended:
                    break
                await self._forward(connection, chunk, up=up)
        if not up:
            connection.close_client()

    async def _forward(self, connection: _Connection, chunk: bytes, *, up: bool) -> None:
        left = self._left.get(up)
        if left is not None:
            chunk = chunk[:left]
            self._left[up] = left - len(chunk)
        cut = left is not None and left <= len(chunk)
        if up:
            self.sent += len(chunk)
        else:
            self.received += len(chunk)
        try:
            await connection.write(chunk, up=up)
        finally:
            if cut:
                self._left.clear()
                self.drop(reset=self._reset)


class _Connection:
    """One connection of a client, and ours to the counterpart."""

    def __init__(self, client: asyncio.StreamWriter) -> None:
        self.client = client
        self.upstream: asyncio.StreamWriter | None = None
        self.ended = False
        self.done = asyncio.Event()

    async def write(self, chunk: bytes, *, up: bool) -> None:
        """Pass bytes on."""
        writer = self.upstream if up else self.client
        assert writer is not None
        writer.write(chunk)
        await writer.drain()

    def end(self, reset: bool) -> None:
        """Close the client's side, and end ours, so that the counterpart finishes what it has."""
        if self.ended:
            return
        self.ended = True
        if reset:
            raw = self.client.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            self.client.transport.abort()
        else:
            self.client.close()
        if self.upstream is not None:
            with suppress(OSError, RuntimeError):
                self.upstream.write_eof()

    def close_client(self) -> None:
        """Tell the client that the counterpart has ended."""
        self.client.close()

    def abort(self) -> None:
        """Free both sockets."""
        self.client.transport.abort()
        if self.upstream is not None:
            self.upstream.transport.abort()
        self.done.set()


def _bound(host: str, port: int) -> socket.socket:
    """Return a socket that has a port and does not listen, so that connections are refused."""
    reserved = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind((host, port))
    return reserved
