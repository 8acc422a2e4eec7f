"""The port for the files of hosted media (C-25)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Protocol


class MediaFilesUnavailable(Exception):
    """The files cannot be written or read: there is no room, or the place is away."""


class MediaFileMissing(Exception):
    """There is no file under an id."""


class IncomingFile(Protocol):
    """
    A file that comes in, and is nobody's until it is confirmed.

    Its methods are called one after the other; behind one that failed or was cancelled only the last
    two are. What ends without one of the last three is left over.
    """

    @property
    def size(self) -> int:
        """Return how many bytes were taken."""
        ...

    async def write(self, chunk: bytes) -> None:
        """Take more bytes; raises `MediaFilesUnavailable`."""
        ...

    async def keep(self) -> str:
        """
        Have the file under its id, whole and on disk, and give its SHA-256 in hexadecimal.

        It stays left over until it is confirmed. Raises `MediaFilesUnavailable`.
        """
        ...

    async def confirm(self) -> None:
        """Let a kept file stay for good: the log names it."""
        ...

    async def leave(self) -> None:
        """Let go of a kept file of which nobody knows whether the log will name it."""
        ...

    async def discard(self) -> None:
        """Remove the file, kept or not."""
        ...


class StoredFile(Protocol):
    """A file that is open for reading."""

    @property
    def size(self) -> int:
        """Return its length in bytes."""
        ...

    async def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes, fewer only at the end; raises `MediaFilesUnavailable`."""
        ...

    async def close(self) -> None:
        """Read no more."""
        ...


class MediaFiles(Protocol):
    """
    Keeps files under ids that the service made, for any number of processes.

    Nothing waits on the event loop for a disk.
    """

    def receive(self, media_id: str) -> IncomingFile:
        """Begin a file; nothing is there before its first bytes."""
        ...

    async def open(self, media_id: str) -> StoredFile:
        """Open a kept file; raises `MediaFileMissing` or `MediaFilesUnavailable`."""
        ...

    async def left_over(self, age: timedelta) -> Collection[str]:
        """
        Return the ids of files that nobody has confirmed or holds, and that did not grow for a time.

        Raises `MediaFilesUnavailable`.
        """
        ...

    async def confirm(self, media_id: str) -> None:
        """Let a file that was left over stay for good; raises `MediaFilesUnavailable`."""
        ...

    async def discard(self, media_id: str) -> None:
        """Remove a file that was left over; raises `MediaFilesUnavailable`."""
        ...

    async def confirmed(self) -> Sequence[str]:
        """
        Return the names of all that stands where files are kept for good, in order.

        Raises `MediaFilesUnavailable`.
        """
        ...
