"""
`watchword` in processes of its own, forked from one that has imported it.

Imports are nine tenths of a start, and tests start servers by the hundred: each worker of the test run
imports once. A fork runs what `python -m watchword.entrypoints.cli` runs.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import TextIO

from attrs import frozen

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "watchword.adapters.event_store.memory.store",
        "watchword.adapters.event_store.postgres.store",
        "watchword.adapters.event_store.sqlite.store",
        "watchword.adapters.event_store.sqlite.writer_main",
        "watchword.entrypoints.cli.__main__",
        "watchword.entrypoints.cli.commands.serve",
        "watchword.entrypoints.serving.one_process",
        "watchword.entrypoints.serving.metrics_listener",
        "watchword.entrypoints.http.watching",
        "watchword.entrypoints.demo.seeding",
        "uvloop",
        __name__,
    ]
)


@frozen
class Forked:
    """A process, with the ends of its output; with a log file, `stderr` is empty."""

    _process: ForkServerProcess
    stdout: TextIO
    stderr: TextIO

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid or 0

    def poll(self) -> int | None:
        """Return its exit code, or nothing while it runs."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            # It may have ended before its parent reported it.
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Return its exit code once it has ended; raises `TimeoutError`."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise TimeoutError(f"The process did not end within {timeout} s.")
        return code

    def rest(self, timeout: float) -> tuple[str, str]:
        """Return what is left of its output and of its complaints, once it has ended."""
        with ThreadPoolExecutor(2) as readers:
            said, complained = (readers.submit(each.read) for each in (self.stdout, self.stderr))
            self.wait(timeout)
            return said.result(), complained.result()

    def end(self, number: signal.Signals, timeout: float = 60) -> None:
        """End it, if it has not ended."""
        self.send_signal(number)
        self.rest(timeout)
        self.stdout.close()
        self.stderr.close()


def forked(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    log: Path | None = None,
    under: Sequence[str] = (),
) -> Forked:
    """
    Run `watchword` with these arguments, and with nothing in its environment but this.

    Its stderr is appended to the log file, if there is one. `under` is the command of a tracer, which
    starts it anew and leaves its process in its own place.
    """
    stdout, said = Pipe(duplex=False)
    stderr, complained = Pipe(duplex=False)
    process = FORKS.Process(
        target=_run, args=(arguments, dict(environment), said, complained, log, under)
    )
    process.start()
    for end in (said, complained):
        end.close()
    return Forked(process, *(os.fdopen(os.dup(end.fileno())) for end in (stdout, stderr)))


def _run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    said: Connection,
    complained: Connection,
    log: Path | None,
    under: Sequence[str],
) -> None:
    os.environ.clear()
    os.environ.update(environment)
    if log is not None:
        complained.close()
        complained = Connection(
            os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), readable=False
        )
    for number, end in ((1, said), (2, complained)):
        os.dup2(end.fileno(), number)
        end.close()
    if under:
        command = (*under, sys.executable, "-m", "watchword.entrypoints.cli", *arguments)
        os.execvp(command[0], command)  # noqa: S606  as the command line says
    # Late, so that a process that only requests forks does not import this.
    from watchword.entrypoints.cli.__main__ import main

    main(arguments, prog_name="watchword")
