"""One worker of several: serves until a signal, or the end of its parent process."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import socket
import sys
from contextlib import suppress

import attrs

from ..collector import collect_while_starting
from .endpoint import run
from .failures import printable, start_failure
from .first_steps import NothingToSendWith
from .workers import Job


def main(line: socket.socket) -> int:
    """Serve the job that the parent process sends, and return the exit code."""
    collect_while_starting()
    with line, line.makefile("rb") as given:
        try:
            job: Job = pickle.load(given)  # noqa: S301  from the process that started this one
        except EOFError:
            return 1
        try:
            with job.observing.log(worker=job.number):
                run(_work(job, line))
        except Exception as error:
            if (sentence := start_failure(error)) is None:
                raise
            _report(line, failure=printable(sentence))
            return 1
    return 0


async def _work(job: Job, line: socket.socket) -> None:
    # The parent sends nothing more: the line ends when it stops or dies.
    asyncio.get_running_loop().add_reader(line, _starter_gone, line)
    from .one_process import serve_endpoint

    sockets = {
        flag: [socket.socket(fileno=each) for each in listener]
        for flag, listener in job.sockets.items()
    }
    await serve_endpoint(
        job.settings,
        job.endpoint,
        job.observing,
        lambda _, missing: _report(line, missing=missing),
        sockets,
    )


def _starter_gone(line: socket.socket) -> None:
    asyncio.get_running_loop().remove_reader(line)
    os.kill(os.getpid(), signal.SIGTERM)


def _report(
    line: socket.socket, *, failure: str | None = None, missing: NothingToSendWith | None = None
) -> None:
    told = {"failure": failure, "missing": None if missing is None else attrs.asdict(missing)}
    with suppress(OSError):
        line.sendall(json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main(socket.socket(fileno=int(sys.argv[1]))))
