"""
Writers of stores as forks of a process that has imported what they need.

Nine tenths of a writer's start are imports, and each test of the contract has a writer of its own. Tests of
a writer's start and end start it anew, as services do.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from tests.forked import FORKS
from watchword.adapters.event_store.sqlite.writer_main import main


class WarmWriter:
    """The part of `subprocess.Popen` that a store uses for its writer."""

    def __init__(self, command: Sequence[str], *, pass_fds: Sequence[int], stdin: int) -> None:
        line, lock = map(os.dup, pass_fds)
        with socket.socket(fileno=line) as ours, Connection(lock, writable=False) as held:
            self._process = FORKS.Process(target=_write, args=(ours, held, Path(command[-1])))
            self._process.start()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has ended; raises `TimeoutExpired`."""
        self._process.join(timeout)
        if self._process.is_alive():
            raise subprocess.TimeoutExpired("a writer", timeout or 0)

    def kill(self) -> None:
        """End it without a warning."""
        self._process.kill()


def _write(line: socket.socket, lock: Connection, path: Path) -> None:
    with lock:
        main(line, path)
