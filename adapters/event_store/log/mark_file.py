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
    """Return the path of a database file's mark, which is beside it."""
    return file.with_name(f"{file.name}.mark")


def mark_of_database(folder: Path, url: str) -> Path:
    """Return the path of a PostgreSQL store's mark; user and password do not change it."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query)).get("options", "")
    where = f"{parts.hostname}:{parts.port}{parts.path}?{options}"
    return folder / f"postgresql-{hashlib.sha256(where.encode()).hexdigest()[:16]}.mark"


class MarkFile:
    """
    A mark that all processes of a store on this machine share; only a higher value replaces it.

    The mark may be behind the log, and is never ahead of what is on disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def read(self) -> int:
        """Return the mark."""
        return await asyncio.to_thread(self._read)

    async def raise_to(self, events: int) -> None:
        """Raise the mark; a lower number changes nothing."""
        await asyncio.to_thread(self._raise, events)

    async def reset(self, events: int) -> None:
        """Set the mark to the length of a restored log."""
        await asyncio.to_thread(self._write, events)

    def _raise(self, events: int) -> None:
        try:
            if events > self._read():
                self._write(events)
        except (OSError, MarkUnreadable):
            # A service works without a mark; an audit reports the problem.
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
        """Replace the file atomically, so that readers see the old or the new mark."""
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
    """Read a mark; refuse a path that became something endless, such as a pipe (D-165)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise MarkUnreadable
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
