"""Shows the progress of a long command on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .whole_file import STANDARD_OUTPUT

# Shorter work shows no bar.
_SECONDS = 0.5
_EVERY = 0.1

Advance = Callable[[int, int | None], None]


@contextmanager
def progress(what: str, *, output: Path | None = None) -> Iterator[Advance]:
    """
    Yield a function that takes the steps done, and the number of all steps if it is known.

    The bar is drawn on the standard error, if that is a terminal and the work takes its time. It
    disappears at the end. `output` is the file to which the command writes.
    """
    # A bar would mix with the lines of an export to the same terminal.
    shown = sys.stderr.isatty() and not (output == STANDARD_OUTPUT and sys.stdout.isatty())
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = bar.add_task(what, total=None)
    next_time = time.monotonic() + _SECONDS

    def advance(done: int, total: int | None) -> None:
        nonlocal next_time
        now = time.monotonic()
        if shown and now >= next_time:
            next_time = now + _EVERY
            bar.start()
            bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()
