"""A real server in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiohttp import ClientSession, ClientTimeout
from attrs import define

START_SECONDS = 10
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:\d+")


@define
class Server:
    """A running `watchword serve --sandbox`."""

    process: asyncio.subprocess.Process
    base: str

    def kill(self) -> None:
        """End it without a warning."""
        self.process.kill()

    def terminate(self) -> None:
        """Ask it to finish what is under way."""
        self.process.send_signal(signal.SIGTERM)

    async def ended(self, seconds: float) -> int:
        """Give its exit code, once it has ended."""
        async with asyncio.timeout(seconds):
            return await self.process.wait()


@asynccontextmanager
async def serving(data_dir: Path, *flags: str) -> AsyncIterator[Server]:
    """Start a server on a data directory; give it once it says its address; leave none behind."""
    # Nothing of the environment that runs the tests says how this server is set up.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WATCHWORD_")}
    with (data_dir / "server.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "watchword.entrypoints.cli", "serve", "--sandbox"),
            *("--port", "0", "--data-dir", str(data_dir), *flags),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=environment,
        )
    try:
        yield Server(process, await _address(process))
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _address(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(START_SECONDS):
        async for line in process.stdout:
            found = _ADDRESS.search(line)
            if found:
                return found[0].decode()
    raise AssertionError("The server ended before it said its address.")


@asynccontextmanager
async def connected(server: Server) -> AsyncIterator[ClientSession]:
    """Give a client of the server."""
    timeout = ClientTimeout(total=30)
    async with ClientSession(server.base, timeout=timeout) as session:
        yield session
