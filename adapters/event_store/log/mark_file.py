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
    """Return the place of the mark of a database file: beside it, by its name."""
    return file.with_name(f"{file.name}.mark")


def mark_of_database(folder: Path, url: str) -> Path:
    """Return the place of the mark of a PostgreSQL store, whoever connects to it."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query)).get("options", "")
    where = f"{parts.hostname}:{parts.port}{parts.path}?{options}"
    return folder / f"postgresql-{hashlib.sha256(where.encode()).hexdigest()[:16]}.mark"


class MarkFile:
    """
    A mark of its own for every process that serves a store from this place; the highest stands.

    What it says may be behind by as long as nobody raised it, and is never ahead of what is on disk.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def read(self) -> int:
        """Return the mark."""
        return await asyncio.to_thread(self._read)

    async def raise_to(self, events: int) -> None:
        """Move the mark on."""
        await asyncio.to_thread(self._raise, events)

    async def reset(self, events: int) -> None:
        """Put the mark where a restored log stands."""
        await asyncio.to_thread(self._write, events)

    def _raise(self, events: int) -> None:
        try:
            if events > self._read():
                self._write(events)
        except (OSError, MarkUnreadable):
            # A service goes on without; an audit says what is wrong with the mark.
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
        """Put a new file in the place of the old one: whoever reads sees one or the other."""
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
    """Read a mark, of which others may have made something that never ends, as a pipe does (D-165)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise MarkUnreadable
        return os.read(descriptor, _MOST_BYTES)
    finally:
        os.close(descriptor)
