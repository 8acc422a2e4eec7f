"""The process that puts load on servers, and its interface for a run."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from attrs import frozen

from .loads import Load, Tally
from .processes import StartError, last_words, port_of, running


@frozen
class Client:
    """The running load client."""

    process: Process
    phone_port: int
    log: Path

    async def run(self, load: Load) -> Tally:
        """Run a load on the client; return its result."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(load) + b"\n")
        line = await self.process.stdout.readline()
        if not line:
            raise StartError(await asyncio.to_thread(last_words, self.log))
        return msgspec.json.decode(line, type=Tally)


@asynccontextmanager
async def client(directory: Path) -> AsyncIterator[Client]:
    """Run the load client."""
    log = directory / "client.log"
    async with running("benchmarks.client", log=log) as process:
        yield Client(process, await port_of(process, log), log)
