"""Starts the processes of a run, reads their output, and always ends them by their handle."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_ADDRESS = re.compile(rb"://127\.0\.0\.1:(\d+)")
_START_SECONDS = 30
_END_SECONDS = 10


class StartError(Exception):
    """A process ended or stayed silent before its expected output; the text is its last line."""


@asynccontextmanager
async def running(
    module: str, *arguments: str, log: Path, checkout: Path | None = None
) -> AsyncIterator[Process]:
    """
    Run `python -m module`; its stderr goes to a file.

    Another `checkout` is the absolute path of one whose Watchword is to run.
    """
    # The caller's environment must not configure a measured server.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("WATCHWORD_")}
    if checkout is not None:
        environment["PYTHONPATH"] = str(checkout / "src")
    with log.open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, *arguments),
            stdin=PIPE,
            stdout=PIPE,
            stderr=stderr,
            cwd=_ROOT,
            env=environment,
        )
    try:
        yield process
    finally:
        await _end(process)


async def port_of(process: Process, log: Path) -> int:
    """Return the loopback port that a process prints; raises `StartError`."""
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_START_SECONDS):
            async for line in process.stdout:
                found = _ADDRESS.search(line)
                if found:
                    return int(found[1])
    except TimeoutError:
        pass
    raise StartError(await asyncio.to_thread(last_words, log))


def last_words(log: Path) -> str:
    """Return the last line that a process wrote to stderr."""
    lines = log.read_text(errors="replace").split("\n")
    return next(
        (line for line in reversed(lines) if line.strip()),
        "A process ended, or kept silent, without a word.",
    )


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.communicate()
        except TimeoutError:
            process.kill()
    await process.wait()
