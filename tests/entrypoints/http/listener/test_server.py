"""The listener: an uncaught error is reported without its text (C-31)."""

from __future__ import annotations

import asyncio

import pytest

from watchword.entrypoints.http.listener.server import log_uncaught

CODE = "-".join(["CAN", "ARY"])


async def failing(code: str) -> None:
    """Fail in a task that no code awaits."""
    raise LookupError(f"no hash of {code}")


@pytest.mark.parametrize("way", ["callback", "task"])
async def test_what_nobody_catches_shows_no_values(
    way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The loop would show a callback's arguments, and a task with the text of its error."""

    def fail(code: str) -> None:
        raise LookupError(f"no hash of {code}")

    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_uncaught)
    if way == "callback":
        loop.call_soon(fail, CODE)
        await asyncio.sleep(0)
    else:
        task = asyncio.create_task(failing(CODE))
        await asyncio.wait([task])
        del task
    loop.set_exception_handler(None)

    assert "uncaught_error" in caplog.text
    assert "LookupError" in caplog.text
    assert CODE not in caplog.text
