"""`watchword worker`: when it refuses, and what it says of a sandbox."""

from __future__ import annotations

from tests.entrypoints.cli.conftest import Run


def test_a_store_in_memory_is_refused(alone: Run) -> None:
    """What another process keeps in memory is out of a worker's reach: it says so, and ends."""
    refused = alone("worker", "--store", "memory://")

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert (
        "Error: A store in memory is nobody else's: name a service's own with --store or --data-dir."
        == refused.stderr.strip()
    )


def test_no_outbox_is_promised(alone: Run) -> None:
    """What a worker sends in a sandbox stands in its own memory, where nobody can look."""
    assert "outbox" not in alone("worker", "--help").stdout
