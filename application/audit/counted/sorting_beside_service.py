"""Sort many entries beside a service, whose event loop must not wait for long (C-94)."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import TextIO

from ..sorting import Entry, Sorting, read_run, written_run

# So many are sorted and written in a few milliseconds.
_HELD = 2_000
# Each run has a file, of which a process may have a thousand.
_MERGED_AT_ONCE = 64


class SortingBesideService(Sorting):
    """Sorts few entries at a time, and merges the runs on a thread; `ready` is awaited before `sorted`."""

    def __init__(self) -> None:
        super().__init__(_HELD)
        self._merging: list[Future[TextIO]] = []

    async def ready(self) -> None:
        """Wait until the threads have merged their runs."""
        await asyncio.gather(*map(asyncio.wrap_future, self._merging))

    def sorted(self) -> Iterator[Entry]:
        """Return an iterator over all sorted entries."""
        merged = [read_run(each.result()) for each in self._merging]
        return heapq.merge(super().sorted(), *merged)

    def close(self) -> None:
        """Close the temporary files, also those that a thread still writes."""
        super().close()
        for each in self._merging:
            each.add_done_callback(_close)

    def _put_aside(self) -> None:
        super()._put_aside()
        if len(self._runs) >= _MERGED_AT_ONCE:
            runs, self._runs = self._runs, []
            merged: Future[TextIO] = Future()
            self._merging.append(merged)
            Thread(target=_merge, args=(runs, merged), name="sorting", daemon=True).start()


def _merge(runs: Sequence[TextIO], merged: Future[TextIO]) -> None:
    try:
        merged.set_result(written_run(heapq.merge(*map(read_run, runs))))
    except Exception as error:
        merged.set_exception(error)
    finally:
        for each in runs:
            each.close()


def _close(merged: Future[TextIO]) -> None:
    if merged.exception() is None:
        merged.result().close()
