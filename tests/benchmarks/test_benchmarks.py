"""The benchmarks run to their end and print results; no test judges their speed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("parts", "rows"),
    [
        (
            ("sqlite", "inside"),
            (
                "ratio to skeleton ",
                "cycles/s, 32 connections",
                "server CPU ms per cycle",
                "create p50/p99 ms, 1 ",
                "RSS MiB, ",
                "foreign CPU, cores",
                "per event written, 64 in a commit",
                "per aggregate loaded, from the file",
                "per send with a fallback armed, 64 at once",
                "per fallback fired, all due at once",
                "per look for due work, 1,000 runs waiting",
            ),
        ),
        (("postgres",), ("ratio to skeleton ", "cycles per CPU second")),
        (("providers",), ("sends/s of the provider http", "ratio to the bare client")),
        (
            ("smpp",),
            ("sends/s over SMPP, window 100", "times as many, 10 ", "bytes per waiting send, smpp"),
        ),
        (("fairness",), ("per create (p50), alone", "times as long")),
        (("attack",), ("per create (p99), alone", "times as long as alone")),
        (("appends",), ("SQLite: Watchword ", "PostgreSQL: Watchword, 2 nodes")),
    ],
)
def test_a_tiny_run_prints_its_table(
    tmp_path: Path, parts: Sequence[str], rows: Sequence[str]
) -> None:
    """Every server answers every cycle, every figure has its row, and nothing is left behind."""
    lines, found = ran(tmp_path, "--rounds=2", *(f"--part={each}" for each in parts))

    assert max(map(len, lines)) <= 100
    for row in rows:
        assert 1 == sum(line.startswith(row) for line in lines), row
    servers = [*found["sqlite"], *found["postgres"]]
    assert [(8, 0)] * len(servers) == [(each["cycles"], each["failed"]) for each in servers]
    assert all(1.0 == each["ratio"]["median"] for each in servers if each["name"] == "skeleton")
    names = ("store_us", "messages_us", "fairness", "attack", "providers", "smpp")
    figures = [found[name] for name in names]
    assert all(spread["low"] > 0 for each in figures for spread in each.values())
    assert all(each["per_second"]["low"] > 0 for each in found["appends"])
    assert [] == list((tmp_path / "var").iterdir())


def test_pages_of_the_console_are_measured(tmp_path: Path) -> None:
    """Every list is loaded on a filled store, and servers start with the console and without it."""
    lines, found = ran(tmp_path, "--rounds=1", "--part=console", "--stored=60")

    assert max(map(len, lines)) <= 100
    figures = found["console"]
    assert {"ms: /", "ms: /access/keys", "ms: /access/keys?account=demo", "ms: /evidence"} <= set(
        figures
    )
    assert {"start-up ms, with the console", "RSS MiB, with --no-console"} <= set(figures)
    assert all(spread["low"] > 0 for spread in figures.values())


def test_cycles_are_measured_while_a_retention_works(tmp_path: Path) -> None:
    """On both stores a load begins while PINs go; without any that go, the run fails."""
    _, found = ran(tmp_path, "--rounds=1", "--part=retention", "--stored=600")
    figures = found["retention"]

    for store in ("SQLite", "PostgreSQL"):
        assert figures[f"{store}: create p99, times as long (at most 1.5)"]["low"] > 0


def test_growth_is_measured_on_real_rows(tmp_path: Path) -> None:
    """A store that was filled by copying serves and searches like any other."""
    _, found = ran(tmp_path, "--rounds=1", "--part=growth", "--stored=60")

    for growth in found["growth"]:
        assert [(8, 0)] * 2 == [(each["cycles"], each["failed"]) for each in growth["servers"]]
        assert ["30 PINs", "60 PINs"] == list(growth["events"])
        assert 5 * 30 == growth["events"]["60 PINs"] - growth["events"]["30 PINs"]
        for asked in growth["milliseconds"].values():
            assert all(spread["low"] > 0 for spread in asked.values())


def test_people_are_measured_beside_another_checkout(tmp_path: Path) -> None:
    """Each store erases people and sends to them, in turns with the Watchword of another checkout."""
    _, found = ran(
        tmp_path, "--rounds=1", "--part=people", "--stored=40", f"--against={ROOT}", "--quick"
    )
    people = found["people"]

    for store in ("SQLite", "PostgreSQL"):
        assert people[f"{store}: ms per erasure, 40 people (at most 1,000)"]["low"] > 0
        assert people[f"{store}: ms per send to many, before"]["low"] > 0
        assert people[f"{store}: times as long as before, 40 people (at most 1.3)"]["low"] > 0
        assert f"{store}: bytes per cycle, before" in people


def ran(directory: Path, *arguments: str) -> tuple[list[str], Any]:
    """Run the benchmarks, and return the lines that they print and what they write."""
    result = directory / "result.json"
    run = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks", "--cycles=8"),
            *(f"--json={result}", *arguments),
        ],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert (0, "") == (run.returncode, run.stderr)
    return run.stdout.splitlines(), json.loads(result.read_bytes())
