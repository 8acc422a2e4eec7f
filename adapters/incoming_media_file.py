"""A file that is being written, under a name by which leftovers of a crash are found (D-87)."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock

from ..application.ports.media_files import MediaFilesUnavailable

# Runs a function on a thread.
Run = Callable[[Callable[[], None]], Awaitable[None]]
# Bytes that are collected before a thread writes them.
_WRITE_AT_ONCE = 256 * 1024
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FolderIncomingFile:
    """
    A file that is written to `incoming` and linked to `place` when it is complete.

    Work on a thread runs to its end even if its caller was cancelled. The lock makes the next call wait
    for it, so that no write reaches a descriptor that was closed and reused.
    """

    def __init__(self, run: Run, place: Path, incoming: Path) -> None:
        self._run = run
        self._place = place
        self._incoming = incoming
        self._lock = Lock()
        self._descriptor: int | None = None
        self._ended = False
        self._kept = False
        self._digest = hashlib.sha256()
        self._unwritten: list[bytes] = []
        self._unwritten_size = 0
        self.size = 0

    async def write(self, chunk: bytes) -> None:
        """Add bytes to the file."""
        self._unwritten.append(chunk)
        self._unwritten_size += len(chunk)
        self.size += len(chunk)
        if self._unwritten_size >= _WRITE_AT_ONCE:
            await self._flush()

    async def keep(self) -> str:
        """Sync the file and link it under its id; return its SHA-256 in hexadecimal."""
        await self._flush()
        await self._run(self._keep)
        return self._digest.hexdigest()

    async def confirm(self) -> None:
        """Remove the incoming name of a kept file; after a failure, the clean-up finds it."""
        with suppress(MediaFilesUnavailable):
            await self._run(lambda: self._end(self._incoming))

    async def leave(self) -> None:
        """Close a kept file and leave both of its names."""
        await self._run(self._end)

    async def discard(self) -> None:
        """Remove the file; after a failure, the clean-up finds it."""
        with suppress(MediaFilesUnavailable):
            await self._run(lambda: self._end(self._place, self._incoming))

    async def _flush(self) -> None:
        data, self._unwritten, self._unwritten_size = b"".join(self._unwritten), [], 0
        await self._run(lambda: self._write(data))

    def _write(self, data: bytes) -> None:
        with self._lock:
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
                for each in (folder.parent.parent, folder.parent, folder):
                    each.mkdir(mode=0o700, parents=True, exist_ok=True)
                    _sync(each.parent)
            self._descriptor = os.open(self._incoming, _NEW, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        return self._descriptor

    def _keep(self) -> None:
        with self._lock:
            if self._kept:
                return
            os.fsync(self._opened())
            # Sync the first name first, so that no crash leaves only the second.
            _sync(self._incoming.parent)
            os.link(self._incoming, self._place, follow_symlinks=False)
            self._kept = True
            _sync(self._place.parent)

    def _end(self, *names: Path) -> None:
        with self._lock:
            begun, self._ended = self._descriptor is not None, True
            try:
                if begun:
                    remove(*(each for each in names if self._kept or each != self._place))
            finally:
                if self._descriptor is not None:
                    os.close(self._descriptor)
                    self._descriptor = None


def remove(*names: Path) -> None:
    """Remove names of a file in this order; missing names are no error."""
    for each in names:
        each.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
