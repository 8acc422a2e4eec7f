"""Writes a file that grows, and goes on with one behind its last whole line (C-82)."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click
from attrs import frozen

_BLOCK = 1 << 16
# Longer than any event in a line.
_LONGEST_LINE = 64 << 20


@frozen
class GrowingFile:
    """A file at whose end whole lines are added; `last` is its last line, without the end."""

    file: IO[bytes]
    last: bytes | None

    def drop_rest(self) -> None:
        """Drop the unfinished line behind the last whole one."""
        self.file.truncate()

    def keep(self) -> None:
        """Have everything written on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())


@contextmanager
def growing_file(path: Path, *, go_on: bool) -> Iterator[GrowingFile]:
    """
    Open a file to add lines behind its last whole one; make a missing file, for its owner alone.

    Raises `click.BadParameter` if it is no plain file, if another command writes it, or if it has
    something and shall not `go_on`; and `OSError`.
    """
    number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    with os.fdopen(number, "r+b") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise click.BadParameter(f"{path} is no plain file. Use - for the standard output.")
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise click.BadParameter(f"Another command is writing {path}.") from None
        size = os.fstat(number).st_size
        if size and not go_on:
            raise click.BadParameter(
                f"{path} has something in it. Name another file, or go on with it by --resume."
            )
        end = _line_end(file, size)
        begin = _line_end(file, end - 1) if end else 0
        if end - begin > _LONGEST_LINE:
            raise click.BadParameter(f"{path} has lines that no export writes.")
        file.seek(begin)
        last = file.read(end - begin).rstrip(b"\r\n") if end else None
        file.seek(end)
        growing = GrowingFile(file, last)
        try:
            yield growing
        finally:
            growing.keep()


def _line_end(file: IO[bytes], before: int) -> int:
    """Return the place behind the last line's end in the first bytes of a file; 0 if there is none."""
    end = before
    while end > 0:
        begin = max(0, end - _BLOCK)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0
