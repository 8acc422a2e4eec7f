"""The list of erasures in a file: one JSON object a line (C-74, C-100)."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from ..application.ports.erasures import ErasuresUnwritable

_PERSON = re.compile(r"per_[A-Za-z0-9_-]{1,100}")
# Longer than any line of ours.
_LONGEST_LINE = 1_000


class ErasuresUnreadable(Exception):
    """A list of erasures cannot be read whole; the text says where and why."""


class ErasuresFile:
    """
    Adds to the file that a service's nodes share; a line is on disk when `note` returns.

    Each line is one write at the end of the file, so that nodes that share it on one machine do not
    mix their lines.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = asyncio.Lock()

    async def note(self, person_id: str, at: datetime) -> None:
        """Add a line."""
        line = json.dumps({"personId": person_id, "at": _written(at)}) + "\n"
        async with self._lock:
            try:
                await asyncio.to_thread(self._add, line.encode())
            except OSError as error:
                raise ErasuresUnwritable(
                    f"The list of erasures {self._path} cannot be written: {error.strerror}."
                ) from error

    def _add(self, line: bytes) -> None:
        is_new = not self._path.exists()
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        descriptor = os.open(self._path, flags, 0o600)
        try:
            # A crash may have cut off the last line.
            end = os.fstat(descriptor).st_size
            whole = end == 0 or os.pread(descriptor, 1, end - 1) == b"\n"
            added = line if whole else b"\n" + line
            if os.write(descriptor, added) < len(added):
                # The disk became full within the line; the next one begins anew.
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if is_new:
            _sync_folder(self._path.parent)


def read_erasures(path: Path) -> Iterator[str]:
    """
    Yield the ids of the people in a list, line by line.

    Raises `ErasuresUnreadable`, also after some ids: a list that is damaged must not pass as a whole one.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
                yield _person_in(line, path, number)
    except OSError as error:
        raise ErasuresUnreadable(f"{path} cannot be read: {error.strerror}.") from error


def _person_in(line: bytes, path: Path, number: int) -> str:
    try:
        person_id = json.loads(line)["personId"]
        if not _PERSON.fullmatch(person_id):
            raise ValueError
    except (ValueError, LookupError, TypeError, RecursionError):
        raise ErasuresUnreadable(
            f"Line {number} of {path} is no erasure. If a crash cut it off, remove the line: the erasure"
            " was noted again after it."
        ) from None
    return str(person_id)


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
