"""A real server in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from aiohttp import ClientSession, ClientTimeout
from attrs import define

START_SECONDS = 30
_ADDRESS = re.compile(rb"http://127\.0\.0\.1:\d+")


@define
class Server:
    """A running `watchword serve --sandbox`."""

    process: asyncio.subprocess.Process
    base: str

    def kill(self) -> None:
        """End it without a warning."""
        self._signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to finish what is under way."""
        self._signal(signal.SIGTERM)

    def limit_files(self, size: int = resource.RLIM_INFINITY) -> None:
        """Let no file of it and its writer grow beyond these bytes: to them the disk is then full."""
        pid = self.process.pid
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        for each in (pid, *(int(child) for task in tasks for child in task.read_text().split())):
            _, hard = resource.prlimit(each, resource.RLIMIT_FSIZE)
            resource.prlimit(each, resource.RLIMIT_FSIZE, (size, hard))

    def _signal(self, number: signal.Signals) -> None:
        # The transport's own way looks whether the process has ended, and so steals its exit code.
        if self.process.returncode is None:
            # It may have ended, and nobody has told the event loop yet.
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, number)

    async def ended(self, seconds: float) -> int:
        """Give its exit code, once it has ended."""
        async with asyncio.timeout(seconds):
            return await self.process.wait()


@asynccontextmanager
async def serving(data_dir: Path, *flags: str, under: Sequence[str] = ()) -> AsyncIterator[Server]:
    """
    Start a server on a data directory; give it once it says its address; leave none behind.

    `under` is the command of a tracer that starts it, and leaves its process in its own place.
    """
    # Nothing of the environment that runs the tests says how this server is set up.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WATCHWORD_")}
    with (data_dir / "server.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *under,
            *(sys.executable, "-m", "watchword.entrypoints.cli", "serve", "--sandbox"),
            *("--port", "0", "--data-dir", str(data_dir), *flags),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=environment,
        )
    try:
        yield Server(process, await _address(process))
    finally:
        Server(process, "").kill()
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
