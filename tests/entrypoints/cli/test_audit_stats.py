"""`watchword audit stats`: the counts of the log, as a table and as JSON (C-105)."""

from __future__ import annotations

import json

from tests.entrypoints.cli.conftest import Run


def test_the_counts_read_as_a_table(alone: Run) -> None:
    """The names with their numbers, the sum, and the newest head."""
    alone("accounts", "create", "web-shop")
    counts = json.loads(alone("audit", "stats", "--json").stdout)
    table = alone("audit", "stats").stdout

    assert {"events", "types", "head"} == set(counts)
    assert sum(counts["types"].values()) == counts["events"]
    assert 1 == counts["types"]["AccountCreated"]
    assert "AccountCreated" in table
    assert "head" in table
