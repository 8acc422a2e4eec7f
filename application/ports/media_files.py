"""The port for the files of hosted media (C-25)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Protocol


class MediaFilesUnavailable(Exception):
    """The files cannot be written or read: the disk is full or not available."""


class MediaFileMissing(Exception):
    """No file has this id."""


class IncomingFile(Protocol):
    """
    A file that is being received; it is left over until it is confirmed.

    Callers call its methods one after the other. After a failed or cancelled one, they call only
    `leave` or `discard`. A file without `confirm`, `leave` or `discard` is left over.
    """

    @property
    def size(self) -> int:
        """Return how many bytes were received."""
        ...

    async def write(self, chunk: bytes) -> None:
        """Append bytes; raises `MediaFilesUnavailable`."""
        ...

    async def keep(self) -> str:
        """
        Move the complete file to its id, on disk, and return its SHA-256 in hexadecimal.

        It is left over until it is confirmed. Raises `MediaFilesUnavailable`.
        """
        ...

    async def confirm(self) -> None:
        """Keep the file for good, because the log names it."""
        ...

    async def leave(self) -> None:
        """Release a kept file that the log may or may not name."""
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
        """Close the file."""
        ...


class MediaFiles(Protocol):
    """
    Stores files under ids that the service made, for any number of processes.

    No method blocks the event loop for disk access.
    """

    def receive(self, media_id: str) -> IncomingFile:
        """Begin a file; it is created with its first bytes."""
        ...

    async def open(self, media_id: str) -> StoredFile:
        """Open a kept file; raises `MediaFileMissing` or `MediaFilesUnavailable`."""
        ...

    async def left_over(self, age: timedelta) -> Collection[str]:
        """
        Return the ids of unconfirmed files that no process holds and that have not grown for `age`.

        Raises `MediaFilesUnavailable`.
        """
        ...

    async def confirm(self, media_id: str) -> None:
        """Keep a file that was left over; raises `MediaFilesUnavailable`."""
        ...

    async def discard(self, media_id: str) -> None:
        """Remove a file that was left over; raises `MediaFilesUnavailable`."""
        ...

    async def confirmed(self) -> Sequence[str]:
        """
        Return the names of all confirmed files, in order.

        Raises `MediaFilesUnavailable`.
        """
        ...
