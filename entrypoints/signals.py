"""How signals end what runs: a service at its leisure, a command with nothing left behind."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


def stop_asked() -> asyncio.Event:
    """Return an event that SIGTERM or SIGINT sets, for what runs until it is stopped."""
    stop = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    return stop


@contextmanager
def tidy_when_ended() -> Iterator[None]:
    """Have a signal that ends the process end its tasks first, which leave nothing behind."""

    def end(number: signal.Signals) -> None:
        raise SystemExit(128 + number)

    loop = asyncio.get_running_loop()
    # Signals reach the main thread alone, and `nohup` has one ignored.
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
