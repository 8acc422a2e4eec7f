"""Handles signals: a service stops in order, and a command cleans up."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


def stop_asked() -> asyncio.Event:
    """Return an event that SIGTERM or SIGINT sets."""
    stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    return stop


@contextmanager
def tidy_when_ended() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into `SystemExit`, so that tasks can clean up first."""

    def end(number: signal.Signals) -> None:
        raise SystemExit(128 + number)

    loop = asyncio.get_running_loop()
    # Only the main thread can handle signals. A signal that is ignored, as under `nohup`, stays so.
    handled = [
        each
        for each in (signal.SIGTERM, signal.SIGHUP)
        if current_thread() is main_thread() and signal.getsignal(each) is signal.SIG_DFL
    ]
    for each in handled:
        loop.add_signal_handler(each, end, each)
    try:
        yield
    finally:
        for each in handled:
            loop.remove_signal_handler(each)
