"""`watchword stats`: a table that fits 80 columns, CSV and JSON (C-80)."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import watchword as package
from tests.entrypoints.cli.conftest import Run
from watchword.entrypoints.cli.output.figures_table import WIDTH, figures_table
from watchword.entrypoints.demo.seeding import TEMPLATE_ID

ROW: dict[str, Any] = {
    "at": "2031-05-04T12:00:00.000Z",
    "sent": 1200,
    "accepted": 1198,
    "delivered": 1160,
    "verified": 900,
    "expired": 121,
    "blocked": 3,
    "refused": 0,
    "test": 2,
    "secondsToVerify": {"p50": 15, "p95": 60},
    "cost": [
        {"amount": "9.25", "currency": "EUR", "estimated": False},
        {"amount": "1", "currency": "USD", "estimated": True},
    ],
}


@pytest.fixture
def counted(alone: Run, tmp_path: Path) -> Run:
    """Run commands on a store whose worker has counted two codes."""

    async def send() -> None:
        store = f"sqlite:///{tmp_path / 'watchword.db'}"
        async with package.open(store, data_dir=tmp_path, sandbox=True) as service:
            for number in ("+447700900123", "+919812345610"):
                await service.pins.issue("demo", TEMPLATE_ID, number)
            await service.run_due()

    asyncio.run(send())
    return alone


def test_a_table_fits_a_narrow_terminal() -> None:
    """What has no room is named below; a figure that is zero everywhere has no column."""
    heading, row, note = figures_table([{**ROW, "template": "tpl_" + "0" * 32}], "template")

    assert max(map(len, (heading, row, note))) <= WIDTH
    assert row.startswith("2031-05-04 12:00  tpl_0000000000000…  1,200")
    assert row.endswith("75 %")
    assert "refused" not in heading
    assert "cost" in note


def test_a_bar_shows_the_part_that_was_verified() -> None:
    """The longest one is everything, and an hour without sends has none."""
    whole = {**ROW, "verified": 1200, "cost": []}
    none = {**ROW, "verified": 0, "cost": []}
    empty = {**ROW, "sent": 0, "verified": 0, "cost": []}
    _, *lines = figures_table([whole, none, empty], None)
    bars = [line.count("#") + line.count("█") for line in lines[:3]]

    assert bars[0] > 5
    assert [0, 0] == bars[1:]
    assert lines[0].endswith("100 %")
    assert lines[1].endswith("  0 %")


def test_the_figures_of_a_store_are_shown(counted: Run) -> None:
    """As a table, as CSV and as JSON, of a store that nobody serves."""
    table = counted("stats", "--by", "day")
    rows = counted("stats", "--group", "country", "--csv")
    answer = counted("stats", "--account", "demo", "--group", "channel", "--json")

    assert 0 == table.exit_code, table.stderr
    heading, *lines = table.stdout.splitlines()
    assert ["at", "sent"] == heading.split()[:2]
    assert 1 == len(lines)
    read = [*csv.DictReader(io.StringIO(rows.stdout))]
    assert [("GB", "1"), ("IN", "1")] == [(each["country"], each["sent"]) for each in read]
    (row,) = json.loads(answer.stdout)["data"]
    assert ("sms", 2, 2) == (row["channel"], row["sent"], row["accepted"])


def test_an_empty_range_says_what_to_do(counted: Run) -> None:
    """It is no error."""
    nothing = counted("stats", "--from", "2001-01-01", "--to", "2001-01-02")

    assert (0, True) == (nothing.exit_code, "--from" in nothing.stdout)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--by", "week"), 2, "'week' is not one of"),
        (("--csv", "--json"), 2, "Choose one"),
        (("--from", "2031-05-02", "--to", "2031-05-01"), 1, "to must be later than from"),
        (("--account", "nobody"), 1, "No account has this id or name"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    counted: Run, options: tuple[str, ...], code: int, said: str
) -> None:
    """It names the option or the value."""
    refused = counted("stats", *options)

    assert (code, True) == (refused.exit_code, said in refused.stderr), refused.stderr
