"""Sort more entries than fit into memory, with the help of unnamed temporary files."""

from __future__ import annotations

import heapq
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from tempfile import TemporaryFile
from typing import TextIO

Entry = tuple[str, ...]

# The number of entries kept in memory; some tens of megabytes.
_HELD = 100_000


class Sorting:
    """
    Collects entries in any order and returns them sorted by code points, repeated ones included.

    With `descending`, the greatest comes first.

    Entries beyond the limit go to temporary files that no other process can open. Call `close` at the
    end.
    """

    def __init__(self, held: int = _HELD, *, descending: bool = False) -> None:
        self._held = held
        self._descending = descending
        self._entries: list[Entry] = []
        self._runs: list[TextIO] = []

    def add(self, *entry: str) -> None:
        """Add an entry."""
        self._entries.append(entry)
        if len(self._entries) >= self._held:
            self._put_aside()

    def sorted(self) -> Iterator[Entry]:
        """Return an iterator over all sorted entries. It may be called again; `add` may not."""
        self._entries.sort(reverse=self._descending)
        runs = map(read_run, self._runs)
        return heapq.merge(self._entries, *runs, reverse=self._descending)

    async def ready(self) -> None:
        """Wait until `sorted` can be called."""

    async def walked(self) -> AsyncIterator[Entry]:
        """Yield all sorted entries asynchronously, for a walk beside others."""
        for each in self.sorted():
            yield each

    def close(self) -> None:
        """Close the temporary files."""
        for each in self._runs:
            each.close()

    def _put_aside(self) -> None:
        self._entries.sort(reverse=self._descending)
        self._runs.append(written_run(self._entries))
        self._entries = []


def written_run(entries: Iterable[Entry]) -> TextIO:
    """Write sorted entries to a file that closes with the sorting."""
    run = TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  closed with the sorting
    run.writelines(f"{json.dumps(each)}\n" for each in entries)
    return run


def read_run(run: TextIO) -> Iterator[Entry]:
    """Yield the entries of a file in their order."""
    run.seek(0)
    for line in run:
        yield tuple(json.loads(line))
