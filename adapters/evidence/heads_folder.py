"""Folders outside the database with the newest signed head, and the last one of each day."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ...application.ports.kept_heads import HeadsNotKept, HeadsUnreadable
from ..logs import logger

T = TypeVar("T")

LATEST = "latest"
# Longer than any head: a note of two keys and a hundred witnesses.
_MOST_BYTES = 32_000
_SECONDS = 5.0
_log = logger("watchword.evidence")


class HeadsFolder:
    """
    One folder with heads: `latest`, and a file for each day of UTC, such as `2031-05-04`.

    Threads of its own use it, one at a time. So a network's folder that hangs holds up nothing else, not
    even the end of the process.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._at_work = False

    async def latest(self) -> str | None:
        """Return the newest head; None without one. Raises `OSError`, `ValueError` or `TimeoutError`."""
        return await self._run(self._read)

    async def keep(self, note: str, at: datetime) -> None:
        """Write a head; raises `OSError` or `TimeoutError`."""
        await self._run(self._write, note.encode(), f"{at:%Y-%m-%d}")

    async def _run(self, work: Callable[..., T], *given: Any) -> T:
        if self._at_work:
            raise TimeoutError
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def run() -> None:
            try:
                settle = partial(_settle, done, work(*given), None)
            except Exception as error:
                settle = partial(_settle, done, None, error)
            self._at_work = False
            # The loop of a service that ended meanwhile is closed.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle)

        self._at_work = True
        threading.Thread(target=run, name="heads", daemon=True).start()
        async with asyncio.timeout(_SECONDS):
            return await done

    def _read(self) -> str | None:
        try:
            descriptor = os.open(self.path / LATEST, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise ValueError("no file")
            return os.read(descriptor, _MOST_BYTES).decode()
        finally:
            os.close(descriptor)

    def _write(self, note: bytes, day: str) -> None:
        self.path.mkdir(mode=0o755, parents=True, exist_ok=True)
        # The day's first: `latest` is never newer than what the folder has.
        for name in (day, LATEST):
            self._replace(name, note)
        folder = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _replace(self, name: str, note: bytes) -> None:
        # Only the holder of the lease writes, so one draft is enough; a crash leaves no pile of them.
        draft = self.path / f".{name}.new"
        # A new file, because others may write a copy elsewhere, and a link there must lead to nothing.
        draft.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(draft, flags, 0o644), "wb") as new:
            new.write(note)
            new.flush()
            os.fsync(new.fileno())
        draft.replace(self.path / name)


class HeadsFolders:
    """The folder in the data directory, which must work, and copies, which may be out of reach."""

    def __init__(self, home: HeadsFolder, copies: Sequence[HeadsFolder] = ()) -> None:
        self._home = home
        self._copies = copies

    async def latest(self) -> Sequence[str]:
        """Return the newest head of each folder that has one."""
        try:
            kept = [await self._home.latest()]
        except (OSError, ValueError) as error:
            raise HeadsUnreadable from error
        for each in self._copies:
            try:
                kept.append(await each.latest())
            except (OSError, ValueError):
                _log.warning("heads_not_read")
        return [each for each in kept if each is not None]

    async def keep(self, note: str, at: datetime) -> None:
        """Write a head to all folders."""
        try:
            await self._home.keep(note, at)
        except OSError as error:
            raise HeadsNotKept from error
        for each in self._copies:
            try:
                await each.keep(note, at)
            except OSError:
                _log.warning("heads_not_written")


def _settle(done: asyncio.Future[Any], result: Any, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)
