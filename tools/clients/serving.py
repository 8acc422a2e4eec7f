"""Runs a sandbox on loopback for a client."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_ADDRESS = re.compile(r"http://\S+")


@contextmanager
def a_sandbox(log: Path) -> Iterator[str]:
    """Serve a sandbox on a free port for a block; yield its address."""
    watchword = Path(sys.executable).with_name("watchword")
    with TemporaryDirectory() as folder:
        command = [str(watchword), "serve", "--sandbox", "--port", "0", "--data-dir", folder]
        with (
            log.open("w") as lines,
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=lines, text=True) as server,
        ):
            try:
                yield _address_of(server)
            finally:
                server.terminate()


def _address_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None  # noqa: S101  it is a pipe
    for line in server.stdout:
        if found := _ADDRESS.search(line):
            return found[0]
    raise SystemExit("The sandbox did not say where it listens.")
