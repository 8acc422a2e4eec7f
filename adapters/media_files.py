"""
A folder with the files of hosted media (C-25, D-87).

An upload is written to `incoming/<id>` and linked to `<id>` when it is complete. The first name is
removed after the log names the file, so leftovers of a crash are found in the small folder
`incoming`. A lock on the file marks it as in use. Clients choose no file name.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import TypeVar

from ..application.ports.media_files import MediaFileMissing, MediaFilesUnavailable
from ..domain.media import is_media_id
from .incoming_media_file import FolderIncomingFile, remove
from .logs import logger

T = TypeVar("T")

# Each write, sync and read occupies one thread, so the event loop never waits for the disk.
_THREADS = 8
_INCOMING = "incoming"
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_log = logger("watchword.media")


class FolderMediaFiles:
    """Stores files in a folder, which the first file creates; processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads = ThreadPoolExecutor(_THREADS, "media")

    def receive(self, media_id: str) -> FolderIncomingFile:
        """Return a new incoming file."""
        return FolderIncomingFile(self.run, self._place(media_id), self._incoming(media_id))

    async def open(self, media_id: str) -> FolderStoredFile:
        """Open a stored file; raises `MediaFileMissing`."""
        opening = asyncio.get_running_loop().run_in_executor(self._threads, self._opened, media_id)
        try:
            with _failures_translated():
                descriptor = await asyncio.shield(opening)
        except asyncio.CancelledError:
            # The caller will not receive the descriptor, so it is closed here.
            opening.add_done_callback(_close_opened)
            raise
        return FolderStoredFile(self, descriptor, os.fstat(descriptor).st_size)

    async def left_over(self, age: timedelta) -> Collection[str]:
        """Return the ids of unconfirmed files that are older than `age` and not in use."""
        return await self.run(lambda: list(self._old(time.time() - age.total_seconds())))

    async def confirm(self, media_id: str) -> None:
        """Remove the incoming name of a left-over file, and keep the file."""
        await self.run(lambda: self._incoming(media_id).unlink(missing_ok=True))

    async def discard(self, media_id: str) -> None:
        """Remove a left-over file."""
        await self.run(lambda: remove(self._place(media_id), self._incoming(media_id)))

    async def confirmed(self) -> Sequence[str]:
        """Return the names of all files except the unconfirmed ones."""
        return await self.run(self._confirmed)

    async def close(self) -> None:
        """Wait for the work that has begun."""
        await asyncio.to_thread(self._threads.shutdown)

    async def run(self, work: Callable[[], T]) -> T:
        """Run a blocking function on a thread; it goes on if the caller is cancelled."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        with _failures_translated():
            return await asyncio.shield(running)

    def _place(self, media_id: str) -> Path:
        return self._folder / _checked(media_id)

    def _incoming(self, media_id: str) -> Path:
        return self._folder / _INCOMING / _checked(media_id)

    def _opened(self, media_id: str) -> int:
        try:
            descriptor = os.open(self._place(media_id), _OLD)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENOTDIR):
                raise MediaFileMissing(media_id) from None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise MediaFileMissing(media_id)
        return descriptor

    def _confirmed(self) -> list[str]:
        # In this order: a name in both folders was unconfirmed when the second was read.
        kept = _names(self._folder) - {_INCOMING}
        return sorted(kept - _names(self._folder / _INCOMING))

    def _old(self, before: float) -> Iterator[str]:
        with suppress(FileNotFoundError), os.scandir(self._folder / _INCOMING) as entries:
            for entry in entries:
                if is_media_id(entry.name) and _is_left_over(entry, before):
                    yield entry.name


class FolderStoredFile:
    """A media file that is open for reading."""

    def __init__(self, files: FolderMediaFiles, descriptor: int, size: int) -> None:
        self._files = files
        self._descriptor = descriptor
        self._lock = Lock()
        self.size = size

    async def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`."""
        return await self._files.run(lambda: self._read(offset, length))

    async def close(self) -> None:
        """Close the file."""
        await self._files.run(self._close)

    def _read(self, offset: int, length: int) -> bytes:
        with self._lock:
            return os.pread(self._descriptor, length, offset)

    def _close(self) -> None:
        with self._lock:
            os.close(self._descriptor)


def _close_opened(opened: asyncio.Future[int]) -> None:
    if not opened.cancelled() and opened.exception() is None:
        os.close(opened.result())


def _checked(media_id: str) -> str:
    if not is_media_id(media_id):
        raise MediaFileMissing(media_id)
    return media_id


def _names(folder: Path) -> set[str]:
    try:
        return {each.name for each in folder.iterdir()}
    except FileNotFoundError:
        return set()


def _is_left_over(entry: os.DirEntry[str], before: float) -> bool:
    """Return whether a file is unchanged since a time and not locked."""
    try:
        if entry.stat(follow_symlinks=False).st_mtime >= before:
            return False
        descriptor = os.open(entry.path, _OLD)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def _failures_translated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        _log.error("media_unavailable", error=errno.errorcode.get(error.errno or 0, "unknown"))
        raise MediaFilesUnavailable from None
