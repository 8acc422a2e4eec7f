"""`watchword` as a process of its own: started, listened to, stopped."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen
from yarl import URL

from tests.forked import Forked, forked

# What takes longer has failed.
PATIENCE = 30
# The last words of a start, with and without a sandbox.
_STARTED = ("/sandbox/outbox", "Watchword serves")


@frozen
class Served:
    """A service in another process: its address, its first output, and its data directory."""

    url: str
    said: str = field(repr=False)
    data_dir: Path
    process: Forked = field(repr=False)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        key: str | None = "sandbox-key",
        **headers: str,
    ) -> tuple[int, Any]:
        """Send one request and give the answer's status and data."""
        url = URL(self.url)
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(str(url.host), url.port, timeout=30)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    give_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def environment(**variables: str) -> dict[str, str]:
    """Return this process's environment with these settings of Watchword and no others."""
    kept = {name: value for name, value in os.environ.items() if "WATCHWORD_" not in name}
    return {**kept, **variables}


def command(*arguments: str) -> list[str]:
    """Return what starts `watchword` with these arguments."""
    return [sys.executable, "-m", "watchword.entrypoints.cli", *arguments]


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments),
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def served(data_dir: Path, *arguments: str, **variables: str) -> Iterator[Served]:
    """Serve on a free port until the end of the block."""
    process = forked(
        ("serve", "--port", "0", "--data-dir", str(data_dir), *arguments), environment(**variables)
    )
    try:
        said = _said(process)
        yield Served(said.split("\n", 1)[0].rsplit(" ", 1)[1], said, data_dir, process)
    finally:
        process.end(signal.SIGTERM)


def _said(process: Forked) -> str:
    said = ""
    for line in process.stdout:
        said += line
        if any(words in line for words in _STARTED):
            return said
    raise AssertionError(f"The service did not start: {process.stderr.read()}")
