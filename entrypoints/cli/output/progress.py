"""How far a long command is, on a terminal that somebody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from .whole_file import STANDARD_OUTPUT

# What is done sooner needs no bar.
_SECONDS = 0.5
_EVERY = 0.1

Advance = Callable[[int, int | None], None]


@contextmanager
def progress(what: str, *, output: Path | None = None) -> Iterator[Advance]:
    """
    Give what is to be told how many are done, and of how many, as far as that is known.

    The bar is drawn on the standard error, when that is a terminal and the work takes its time; it
    is gone at the end. `output` is where the work itself is written.
    """
    # A bar would run through the lines of an export that goes to the terminal itself.
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
