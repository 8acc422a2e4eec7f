"""
The files of hosted media in a folder (C-25, D-87).

What comes in is written to `incoming/<id>`, and linked to `<id>` when it is whole: the first name
goes once the log names the file, so that what a crash leaves is found there, however many files
there are. A lock on the file says that somebody is at it. No name is a client's.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import TypeVar

from ..application.ports.media_files import MediaFileMissing, MediaFilesUnavailable
from ..domain.media import is_media_id
from .logs import logger

T = TypeVar("T")

# A write, a sync and a read each hold one; no event loop waits for any of them.
_THREADS = 8
# What a thread is woken for.
_WRITE_AT_ONCE = 256 * 1024
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_log = logger("watchword.media")


class FolderMediaFiles:
    """Keeps files in a folder, which is made when the first one comes; processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._threads = ThreadPoolExecutor(_THREADS, "media")

    def receive(self, media_id: str) -> FolderIncomingFile:
        """Begin a file."""
        return FolderIncomingFile(self, self._place(media_id), self._incoming(media_id))

    async def open(self, media_id: str) -> FolderStoredFile:
        """Open a kept file."""
        opening = asyncio.get_running_loop().run_in_executor(self._threads, self._opened, media_id)
        try:
            with _failures_told():
                descriptor = await asyncio.shield(opening)
        except asyncio.CancelledError:
            # Nobody else will ever close it.
            opening.add_done_callback(_close_opened)
            raise
        return FolderStoredFile(self, descriptor, os.fstat(descriptor).st_size)

    async def left_over(self, age: timedelta) -> Collection[str]:
        """Give the ids of files that nobody has confirmed or holds."""
        return await self.run(lambda: list(self._old(time.time() - age.total_seconds())))

    async def confirm(self, media_id: str) -> None:
        """Let a file that was left over stay for good."""
        await self.run(lambda: self._incoming(media_id).unlink(missing_ok=True))

    async def discard(self, media_id: str) -> None:
        """Remove a file that was left over."""
        await self.run(lambda: remove(self._place(media_id), self._incoming(media_id)))

    async def close(self) -> None:
        """Finish what was begun."""
        await asyncio.to_thread(self._threads.shutdown)

    async def run(self, work: Callable[[], T]) -> T:
        """Run something that waits for a disk; whoever gives up leaves it to end on its own."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        with _failures_told():
            return await asyncio.shield(running)

    def _place(self, media_id: str) -> Path:
        return self._folder / _checked(media_id)

    def _incoming(self, media_id: str) -> Path:
        return self._folder / "incoming" / _checked(media_id)

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

    def _old(self, before: float) -> Iterator[str]:
        with suppress(FileNotFoundError), os.scandir(self._folder / "incoming") as entries:
            for entry in entries:
                if is_media_id(entry.name) and _is_left(entry, before):
                    yield entry.name


class FolderIncomingFile:
    """
    A file that comes in.

    What was begun in a thread ends there even where its caller was cancelled: the lock has the next
    call wait for it, so that nothing is written to a descriptor that is somebody else's by then.
    """

    def __init__(self, files: FolderMediaFiles, place: Path, incoming: Path) -> None:
        self._files = files
        self._place = place
        self._incoming = incoming
        self._turn = Lock()
        self._descriptor: int | None = None
        self._ended = False
        self._kept = False
        self._digest = hashlib.sha256()
        self._unwritten: list[bytes] = []
        self._unwritten_size = 0
        self.size = 0

    async def write(self, chunk: bytes) -> None:
        """Take more bytes."""
        self._unwritten.append(chunk)
        self._unwritten_size += len(chunk)
        self.size += len(chunk)
        if self._unwritten_size >= _WRITE_AT_ONCE:
            await self._flush()

    async def keep(self) -> str:
        """Have the file under its id."""
        await self._flush()
        await self._files.run(self._keep)
        return self._digest.hexdigest()

    async def confirm(self) -> None:
        """Let a kept file stay for good; where that fails, it is found again."""
        with suppress(MediaFilesUnavailable):
            await self._files.run(lambda: self._end(self._incoming))

    async def leave(self) -> None:
        """Let go of a kept file."""
        await self._files.run(self._end)

    async def discard(self) -> None:
        """Remove the file; where that fails, it is found again."""
        with suppress(MediaFilesUnavailable):
            await self._files.run(lambda: self._end(self._place, self._incoming))

    async def _flush(self) -> None:
        data, self._unwritten, self._unwritten_size = b"".join(self._unwritten), [], 0
        await self._files.run(lambda: self._write(data))

    def _write(self, data: bytes) -> None:
        with self._turn:
            descriptor = self._opened()
            self._digest.update(data)
            left = memoryview(data)
            while left:
                left = left[os.write(descriptor, left) :]

    def _opened(self) -> int:
        if self._ended:
            raise OSError("The file has ended.")
        if self._descriptor is None:
            folder = self._incoming.parent
            if not folder.is_dir():
                for each in (folder.parent, folder):
                    each.mkdir(mode=0o700, parents=True, exist_ok=True)
                    _sync(each.parent)
            self._descriptor = os.open(self._incoming, _NEW, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        return self._descriptor

    def _keep(self) -> None:
        with self._turn:
            if self._kept:
                return
            os.fsync(self._opened())
            # First, so that no crash leaves the second name alone.
            _sync(self._incoming.parent)
            os.link(self._incoming, self._place, follow_symlinks=False)
            self._kept = True
            _sync(self._place.parent)

    def _end(self, *names: Path) -> None:
        with self._turn:
            begun, self._ended = self._descriptor is not None, True
            try:
                if begun:
                    remove(*(each for each in names if self._kept or each != self._place))
            finally:
                if self._descriptor is not None:
                    os.close(self._descriptor)
                    self._descriptor = None


class FolderStoredFile:
    """A file that is open for reading."""

    def __init__(self, files: FolderMediaFiles, descriptor: int, size: int) -> None:
        self._files = files
        self._descriptor = descriptor
        self._turn = Lock()
        self.size = size

    async def read(self, offset: int, length: int) -> bytes:
        """Give some bytes."""
        return await self._files.run(lambda: self._read(offset, length))

    async def close(self) -> None:
        """Read no more."""
        await self._files.run(self._close)

    def _read(self, offset: int, length: int) -> bytes:
        with self._turn:
            return os.pread(self._descriptor, length, offset)

    def _close(self) -> None:
        with self._turn:
            os.close(self._descriptor)


def _close_opened(opened: asyncio.Future[int]) -> None:
    if not opened.cancelled() and opened.exception() is None:
        os.close(opened.result())


def remove(*names: Path) -> None:
    """Remove names of a file in this order, whichever there are."""
    for each in names:
        each.unlink(missing_ok=True)


def _checked(media_id: str) -> str:
    if not is_media_id(media_id):
        raise MediaFileMissing(media_id)
    return media_id


def _is_left(entry: os.DirEntry[str], before: float) -> bool:
    """Whether a file did not grow since a time, and nobody is at it."""
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


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _failures_told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        _log.error("media_unavailable", error=errno.errorcode.get(error.errno or 0, "unknown"))
        raise MediaFilesUnavailable from None
