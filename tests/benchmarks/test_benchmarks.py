"""The benchmarks run to their end and say what they found; how fast it was is no test's business."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_tiny_run_prints_its_table(tmp_path: Path) -> None:
    """Every server answers every cycle, every figure has its row, and nothing is left behind."""
    result = tmp_path / "result.json"
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--cycles=8", "--rounds=2", f"--json={result}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (0, "") == (run.returncode, run.stderr)
    lines = run.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    for row in (
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
    ):
        assert 1 == sum(line.startswith(row) for line in lines), row

    found = json.loads(result.read_bytes())
    assert ["bare aiohttp", "skeleton", "Watchword", "Watchword, keyed"] == [
        server["name"] for server in found["servers"]
    ]
    assert [(8, 0)] * 4 == [(server["cycles"], server["failed"]) for server in found["servers"]]
    assert 1.0 == found["servers"][1]["ratio"]["median"]
    assert all(spread["low"] > 0 for spread in found["store_us"].values())
    assert all(spread["low"] > 0 for spread in found["messages_us"].values())
    assert [] == list((tmp_path / "var").iterdir())
