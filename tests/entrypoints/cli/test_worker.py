"""`watchword worker`: its refusals, and its output in a sandbox."""

from __future__ import annotations

import socket
from pathlib import Path

from tests.entrypoints.cli.conftest import Run


def test_a_store_in_memory_is_refused(alone: Run) -> None:
    """A worker cannot reach another process's memory: it says so, and ends."""
    refused = alone("worker", "--store", "memory://")

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert (
        "Error: A store in memory is nobody else's: name a service's own with --store or --data-dir."
        == refused.stderr.strip()
    )


def test_no_outbox_is_promised(alone: Run) -> None:
    """A worker's sends in a sandbox are in its own memory, which no route shows."""
    assert "outbox" not in alone("worker", "--help").stdout


def test_a_metrics_port_that_is_taken_is_said_before_anything_starts(
    alone: Run, tmp_path: Path
) -> None:
    """One sentence, no word of a start, and no store made (D-151)."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = alone("worker", "--metrics-port", str(port))

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert refused.stderr == (
        f"Error: Cannot listen on 127.0.0.1:{port}: Address already in use."
        " Choose another --host or --metrics-port.\n"
    )
    assert [] == [*tmp_path.iterdir()]
