"""The high-water mark of a store in a small file (D-158)."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import stat
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import parse_qsl, urlsplit

from ....application.ports.log_mark import MarkUnreadable
from ...logs import logger

_log = logger("watchword.store")
# Longer than any mark.
_MOST_BYTES = 1_000


def mark_of(file: Path) -> Path:
    """Return the path of a database file's mark, beside the file."""
    return file.with_name(f"{file.name}.mark")


def mark_of_database(folder: Path, url: str) -> Path:
    """Return the path of a PostgreSQL store's mark, whoever connects to the store."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query)).get("options", "")
    where = f"{parts.hostname}:{parts.port}{parts.path}?{options}"
    return folder / f"postgresql-{hashlib.sha256(where.encode()).hexdigest()[:16]}.mark"


class MarkFile:
    """
    A mark at one path; every process that serves the store from there raises it.

    The mark may lag behind the log, and is never ahead of what is on disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def read(self) -> int:
        """Return the mark."""
        return await asyncio.to_thread(self._read)

    async def raise_to(self, events: int) -> None:
        """Raise the mark."""
        await asyncio.to_thread(self._raise, events)

    async def reset(self, events: int) -> None:
        """Set the mark to the end of a restored log."""
        await asyncio.to_thread(self._write, events)

    def _raise(self, events: int) -> None:
        try:
            if events > self._read():
                self._write(events)
        except (OSError, MarkUnreadable):
            # A service goes on without a mark; an audit reports what is wrong with it.
            _log.warning("log_mark_not_written")

    def _read(self) -> int:
        try:
            events = json.loads(_text_of(self._path))["events"]
        except FileNotFoundError:
            return 0
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise MarkUnreadable from error
        if type(events) is not int or events < 0:
            raise MarkUnreadable
        return events

    def _write(self, events: int) -> None:
        """Replace the file: a reader sees the old one or the new one."""
        if not self._path.parent.is_dir():
            return
        with NamedTemporaryFile(
            dir=self._path.parent, prefix=f".{self._path.name}-", delete=False
        ) as new:
            new.write(json.dumps({"events": events}).encode())
            new.flush()
            os.fsync(new.fileno())
        Path(new.name).replace(self._path)


def _text_of(path: Path) -> bytes:
    """Read a mark, which others may have replaced by an endless file, such as a pipe (D-165)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise MarkUnreadable
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
