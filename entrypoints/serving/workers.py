"""
Several processes behind one listening port: started, watched, replaced, stopped (D-58).

All workers accept connections from one socket, which this process bound. A waiting connection goes to
any free worker, and survives the death of one. A worker that dies is replaced at once; if it dies
young, after growing pauses.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import click
from attrs import frozen

from ...adapters.logs import logger
from ..listening import bound
from ..settings import Settings, SettingsError
from ..signals import stop_asked
from .endpoint import MAIN, Endpoint
from .first_steps import NothingToSendWith, Ready
from .observing import Observing

_LONGEST_PAUSE = 30.0
# A process that lived this long is replaced at once.
_GROWN_UP_SECONDS = 60.0
# Time for the last writes and the exit, after the drain and the last calls to providers.
_WAY_OUT_SECONDS = 15.0
_MAIN = f"{__package__}.workers_main"
_log = logger("watchword.workers")


@frozen(kw_only=True)
class Job:
    """The job of one worker; `sockets` are inherited file descriptors, by their listener's flag."""

    number: int
    settings: Settings
    endpoint: Endpoint
    observing: Observing
    sockets: Mapping[str, tuple[int, ...]]


async def serve_with_workers(
    count: int,
    settings: Settings,
    endpoint: Endpoint,
    observing: Observing,
    ready: Ready,
) -> None:
    """
    Serve with `count` processes until SIGTERM or SIGINT, and call `ready` once all serve.

    Raises `SettingsError` if a port cannot be bound, or a process does not start.
    """
    stop = stop_asked()
    listeners = {
        flag: await bound(endpoint.host, port, flag) for flag, port in endpoint.wanted_ports.items()
    }
    ports = {flag: listener.sockets[0].getsockname()[1] for flag, listener in listeners.items()}
    workers = [
        _Worker(
            Job(
                number=number,
                settings=settings,
                endpoint=endpoint,
                observing=observing.of_worker(number),
                sockets={
                    flag: tuple(each.fileno() for each in listener.sockets)
                    for flag, listener in listeners.items()
                },
            )
        )
        for number in range(1, count + 1)
    ]
    try:
        if await _unless(stop, _all(workers, _Worker.start)):
            _log.info("workers_ready", workers=count, host=endpoint.host, port=ports[MAIN])
            ready(ports, workers[0].missing)
            await _unless(stop, _all(workers, _Worker.keep))
    finally:
        # Connections that arrive now would wait at these sockets for ever (D-32).
        for listener in listeners.values():
            listener.close()
        patience = endpoint.drain_timeout + settings.provider_timeout + _WAY_OUT_SECONDS
        await _all(workers, lambda worker: worker.stop(patience))


class _Worker:
    """One worker: its job, and the process that does it now."""

    def __init__(self, job: Job) -> None:
        self._job = job
        # What the store lacked before its first send, when the process started.
        self.missing: NothingToSendWith | None = None
        self._process: Process | None = None
        self._line: asyncio.StreamWriter | None = None

    async def start(self) -> None:
        """Start a process and wait until it serves; raise `SettingsError` if it fails."""
        await self._hang_up()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", _MAIN, str(theirs.fileno())),
                pass_fds=(theirs.fileno(), *chain.from_iterable(self._job.sockets.values())),
                stdin=DEVNULL,
                # A terminal's signals go to this process alone, which passes them on in time.
                process_group=0,
            )
        said, self._line = await asyncio.open_connection(sock=ours)
        self._line.write(pickle.dumps(self._job))
        words = b""
        with suppress(ConnectionError):
            words = await said.readline()
        if not words:
            raise SettingsError(
                f"Worker {self._job.number} ended before it was ready"
                f" ({_how(await self._process.wait())}). Look into its log."
            )
        told = json.loads(words)
        if told["failure"] is not None:
            raise SettingsError(told["failure"])
        self.missing = NothingToSendWith(**told["missing"]) if told["missing"] else None

    async def keep(self) -> None:
        """Replace the process whenever it ends, until cancelled."""
        loop = asyncio.get_running_loop()
        pause, began = 0.0, loop.time()
        while True:
            assert self._process is not None  # noqa: S101  it was started
            code = await self._process.wait()
            if loop.time() - began >= _GROWN_UP_SECONDS:
                pause = 0.0
            _log.error(
                "worker_gone",
                worker=self._job.number,
                pid=self._process.pid,
                ended=_how(code),
                again_after=pause,
            )
            await asyncio.sleep(pause)
            pause, began = min(max(1.0, 2 * pause), _LONGEST_PAUSE), loop.time()
            try:
                await self.start()
            except SettingsError as failure:
                click.echo(f"Error: {failure}", err=True)
            except OSError as error:
                _log.error("worker_not_started", worker=self._job.number, exc_info=error)

    async def stop(self, patience: float) -> None:
        """Let the process finish its requests; kill it after `patience` seconds."""
        await self._hang_up()
        if self._process is None or self._process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(patience):
                await self._process.wait()
        except TimeoutError:
            _log.error("worker_hangs", worker=self._job.number, seconds=patience)
            self._process.kill()
            await self._process.wait()

    async def _hang_up(self) -> None:
        # A worker ends when its line closes, so that none outlives this process.
        if self._line is not None:
            self._line.close()
            with suppress(ConnectionError):
                await self._line.wait_closed()
            self._line = None


async def _all(
    workers: Sequence[_Worker], act: Callable[[_Worker], Coroutine[Any, Any, None]]
) -> None:
    tasks = [asyncio.create_task(act(each)) for each in workers]
    try:
        await asyncio.gather(*tasks)
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> bool:
    """Do the work until `stop`, and return whether it ended by itself."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
        return working.done()
    finally:
        stopping.cancel()
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


def _how(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
