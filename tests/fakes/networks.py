"""A link between a node and its PostgreSQL that a test can interrupt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from psycopg.conninfo import conninfo_to_dict, make_conninfo

# A server's reply to a commit, as a whole message.
_COMMITTED = b"C\x00\x00\x00\x0bCOMMIT\x00"


class Network:
    """
    A relay on loopback.

    The next `losing` replies to a commit are lost, with their connections. While it is not `reachable`,
    connections are refused; while it is `silent`, it relays nothing.
    """

    def __init__(self, url: str) -> None:
        self._given = url
        self._database = conninfo_to_dict(url)
        self.losing = 0
        self.lost = 0
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.StreamWriter] = set()
        self._port = 0

    @property
    def url(self) -> str:
        """The address of the database by way of this network."""
        return make_conninfo(self._given, host="127.0.0.1", port=str(self._port))

    async def begin(self) -> None:
        """Be there, at the same address as before."""
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def end(self) -> None:
        """Be gone, and with it every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for each in tuple(self._connections):
            each.transport.abort()

    @property
    def silent(self) -> bool:
        """Return whether nothing comes or goes."""
        return not self._open.is_set()

    @silent.setter
    def silent(self, silent: bool) -> None:
        if silent:
            self._open.clear()
        else:
            self._open.set()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = str(self._database["host"]), self._database.get("port") or 5432
        if host.startswith("/"):
            there = await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        else:
            there = await asyncio.open_connection(host, port)
        ends = {writer, there[1]}
        self._connections |= ends
        async with asyncio.TaskGroup() as group:
            for ways in ((reader, there[1]), (there[0], writer)):
                group.create_task(self._pass(*ways, ends))
        self._connections -= ends

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ends: Collection[asyncio.StreamWriter],
    ) -> None:
        try:
            while data := await reader.read(2**16):
                await self._open.wait()
                if self.losing and _COMMITTED in data:
                    self.losing -= 1
                    self.lost += 1
                    return
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            for each in ends:
                each.transport.abort()


@asynccontextmanager
async def network(url: str) -> AsyncIterator[Network]:
    """Stand between a node and the database of a URL for a block."""
    between = Network(url)
    await between.begin()
    try:
        yield between
    finally:
        between.silent = False
        await between.end()
