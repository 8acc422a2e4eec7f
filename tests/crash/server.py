"""A real server in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from aiohttp import ClientSession, ClientTimeout, TCPConnector
from attrs import frozen

from tests.forked import Forked, forked

START_SECONDS = 30
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@frozen
class Server:
    """A running `watchword serve --sandbox`."""

    process: Forked
    base: str

    def kill(self) -> None:
        """End it without a warning."""
        self.process.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send SIGTERM, so that it finishes its work."""
        self.process.send_signal(signal.SIGTERM)

    def limit_files(self, size: int = resource.RLIM_INFINITY) -> None:
        """Let no file of it and its writer grow beyond these bytes: to them the disk is then full."""
        pid = self.process.pid
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        for each in (pid, *(int(child) for task in tasks for child in task.read_text().split())):
            _, hard = resource.prlimit(each, resource.RLIMIT_FSIZE)
            resource.prlimit(each, resource.RLIMIT_FSIZE, (size, hard))

    async def ended(self, seconds: float) -> int:
        """Return its exit code, once it has ended."""
        return await asyncio.to_thread(self.process.wait, seconds)


@asynccontextmanager
async def serving(data_dir: Path, *flags: str, under: Sequence[str] = ()) -> AsyncIterator[Server]:
    """
    Start a server on a data directory; return it once it says its address; leave none behind.

    `under` is the command of a tracer that starts it, and leaves its process in its own place.
    """
    # Nothing of the environment that runs the tests says how this server is set up.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WATCHWORD_")}
    process = forked(
        ("serve", "--sandbox", "--port", "0", "--data-dir", str(data_dir), *flags),
        environment,
        log=data_dir / "server.log",
        under=under,
    )
    try:
        async with asyncio.timeout(START_SECONDS):
            base = await asyncio.to_thread(_address, process.stdout)
        yield Server(process, base)
    finally:
        await asyncio.to_thread(process.end, signal.SIGKILL)


def _address(said: TextIO) -> str:
    for line in said:
        found = _ADDRESS.search(line)
        if found:
            return found[0]
    raise AssertionError("The server ended before it said its address.")


@asynccontextmanager
async def connected(server: Server) -> AsyncIterator[ClientSession]:
    """Yield a client of the server, whose requests wait for no other."""
    timeout = ClientTimeout(total=30)
    connector = TCPConnector(limit=0)
    async with ClientSession(server.base, timeout=timeout, connector=connector) as session:
        yield session
