"""The event loop of every process in a run, the same for all."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

try:
    import uvloop
except ImportError:
    NAME = "asyncio"
    _new_loop = None
else:
    NAME = "uvloop"
    _new_loop = uvloop.new_event_loop

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a program, on uvloop if it is installed."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        return runner.run(main)
