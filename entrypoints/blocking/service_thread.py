"""Runs a service on an event loop in a thread of its own, and runs calls there."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager, suppress
from threading import RLock, Thread, current_thread
from typing import Any, TypeVar
from weakref import WeakMethod

from attrs import frozen

from ..embedding.leasing import ServiceClosedError
from ..embedding.service import Service

T = TypeVar("T")


class ServiceThread:
    """
    Opens a service in a thread, and closes it there. Calls may come from any other thread.

    A program that ends without closing the service closes it at its end: many servers offer no better place.
    """

    def __init__(self, opening: AbstractAsyncContextManager[Service]) -> None:
        self._opening = opening
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._opened: Future[Service] = Future()
        self._ended: Future[None] = Future()
        # A collector of garbage that closes a generator may come in while this thread holds it.
        self._submitting = RLock()
        self._closed = False
        self._process = os.getpid()
        self._thread = Thread(target=self._main, name="watchword", daemon=True)

    def start(self) -> Service:
        """Open the service; raise what opening raises."""
        self._thread.start()
        _at_exit(WeakMethod(self.close))
        try:
            return self._opened.result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the service and end its thread; calls that still wait raise `ServiceClosedError`."""
        with self._submitting:
            self._closed = True
        # Without a thread in this process, it is a copy by `fork`, and the service is the parent's.
        if os.getpid() != self._process:
            return
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._opened.exception() is None:
            self._ended.result()

    def submit(self, call: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Start a call on the loop; raise `ServiceClosedError`, or `RuntimeError` where it would hang."""
        if os.getpid() != self._process:
            raise RuntimeError(
                "This process is a copy of the one that opened the service, whose thread did not come along."
                " Open a service after the fork, in each process its own."
            )
        if current_thread() is self._thread:
            raise RuntimeError(
                "This call came from the service's own thread and would wait for itself. Call from another"
                " one, such as asyncio.to_thread gives."
            )
        # After `close` nobody runs what is submitted, and its caller would wait for ever.
        with self._submitting:
            if self._closed:
                raise ServiceClosedError
            return asyncio.run_coroutine_threadsafe(call(), self._loop)

    def _main(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._serve())
        except BaseException as error:
            if not self._opened.done():
                self._opened.set_exception(error)
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)

    async def _serve(self) -> None:
        async with self._opening as service:
            self._opened.set_result(service)
            await self._stop.wait()


def _at_exit(close: WeakMethod[Callable[[], None]]) -> None:
    """Close a service when the main thread ends, if it is still open."""

    def end() -> None:
        still_there = close()
        if still_there is not None:
            still_there()

    # Functions of `atexit` come too late: by then no thread pool takes work, which a service needs to close.
    # The pools themselves use this one.
    register: Callable[[Callable[[], None]], object] = getattr(
        threading, "_register_atexit", atexit.register
    )
    register(end)


@frozen
class Waiting:
    """Waits for calls in a service's thread, each at most so many seconds."""

    thread: ServiceThread
    seconds: float | None = None

    def run(self, call: Callable[[], Coroutine[Any, Any, T]], *, endless: bool = False) -> T:
        """
        Return the result of a call, or raise its error.

        A call that takes too long is cancelled and raises `TimeoutError`; it may have had its effect. So is
        one whose caller is interrupted.
        """
        future = self.thread.submit(call)
        try:
            return future.result(None if endless else self.seconds)
        except CancelledError:
            raise ServiceClosedError from None
        except BaseException as error:
            if future.cancel() and isinstance(error, TimeoutError):
                raise TimeoutError(
                    f"The call took longer than {self.seconds} s and was cancelled. It may have had its"
                    " effect: repeat it under its idempotency_key, or look at the record."
                ) from None
            raise
