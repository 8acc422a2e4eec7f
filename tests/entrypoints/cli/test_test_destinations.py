"""`watchword test-destinations`, on a store and against a running service (C-79)."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest

import watchword
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells

CODE = "123456"


def in_days(run: Run, days: int) -> str:
    """Return a day as people write it, by the service's clock, which other tests move forward."""
    made = run("accounts", "create", f"clock-{uuid4()}", "--json")
    now = datetime.fromisoformat(json.loads(made.stdout)["createdAt"])
    return f"{now + timedelta(days=days):%Y-%m-%d}"


@pytest.fixture
def number() -> str:
    """Return a number that no other test of the shared sandbox has."""
    return f"+4477{uuid4().int % 10**8:08}"


def add(run: Run, number: str, *options: str, given: str | None = None) -> dict[str, str]:
    """Add a test destination, and return its record."""
    named = ("--account", "demo", "--until", in_days(run, 30), "--json", *options)
    made = run("test-destinations", "add", number, *named, given=given)
    assert 0 == made.exit_code, made.stderr
    record: dict[str, str] = json.loads(made.stdout)
    return record


def test_one_is_added_listed_and_removed(with_sandbox_account: Run, number: str) -> None:
    """The table has no code, and a removed one leaves it."""
    run = with_sandbox_account
    record = add(run, number, "--code", CODE)
    listed = run("test-destinations", "list", "--account", "demo").stdout.splitlines()
    removed = run("test-destinations", "remove", record["id"], "--json")
    after = run("test-destinations", "list", "--account", "demo", "--json")

    assert ["id", "account", "destination", "code", "until"] == cells(listed[0])
    (row,) = [cells(each) for each in listed[1:] if number in each]
    assert [record["id"], "demo", number, "***"] == row[:4]
    assert "***" == record["code"]
    assert json.loads(removed.stdout)["removedAt"] is not None
    assert record["id"] not in after.stdout


def test_the_code_may_come_from_the_standard_input(with_sandbox_account: Run, number: str) -> None:
    """So it is in no history of a shell; added again, a destination keeps its id."""
    record = add(with_sandbox_account, number, given=f"{CODE}\n")

    assert record["id"] == add(with_sandbox_account, number, given="654321\n")["id"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "There is no code, neither as --code nor in the standard input."),
        ("123456\n654321\n", "The standard input has several lines. Give the code alone."),
    ],
)
def test_one_line_is_one_code(
    with_sandbox_account: Run, number: str, given: str, said: str
) -> None:
    """Two lines may be two codes, and none is no code."""
    refused = with_sandbox_account(
        *(
            "test-destinations",
            "add",
            number,
            "--until",
            in_days(with_sandbox_account, 30),
            "--account",
            "demo",
        ),
        given=given,
    )

    assert (2, True) == (refused.exit_code, said in refused.stderr)


def test_what_is_wrong_is_said_in_a_sentence(with_sandbox_account: Run, number: str) -> None:
    """A time that is none, one too far away, a code that no template makes, and an unknown id."""
    run = with_sandbox_account
    named = ("--account", "demo", "--code")
    no_time = run("test-destinations", "add", number, *named, CODE, "--until", "spring")
    too_far = run("test-destinations", "add", number, *named, CODE, "--until", in_days(run, 92))
    no_code = run("test-destinations", "add", number, *named, "1", "--until", in_days(run, 30))
    unknown = run("test-destinations", "remove", "tst_0")

    assert (2, True) == (no_time.exit_code, "is not a time such as" in no_time.stderr)
    assert (1, True) == (too_far.exit_code, "at most 90 days ahead" in too_far.stderr)
    assert (1, True) == (no_code.exit_code, "codes of a PIN template" in no_code.stderr)
    assert (1, True) == (
        unknown.exit_code,
        "`watchword test-destinations list`" in unknown.stderr,
    )
    assert CODE not in "".join(each.output for each in (no_time, too_far, unknown))


def test_an_audit_lists_those_that_live(alone: Run, tmp_path: Path, number: str) -> None:
    """They are no differences: the exit code is 0, and programs read them beside the differences."""

    async def seed() -> None:
        async with watchword.open(
            f"sqlite:///{tmp_path / 'watchword.db'}", data_dir=tmp_path, sandbox=True
        ):
            pass

    asyncio.run(seed())
    record = add(alone, number, "--code", CODE)
    as_json = alone("audit", "check", "--json")
    as_table = alone("audit", "check")
    alone("test-destinations", "remove", record["id"])
    after = alone("audit", "check", "--json")

    live = {"id": record["id"], "accountId": record["accountId"], "until": record["until"]}
    assert (0, {"differences": [], "total": 0, "testDestinations": [live]}) == (
        as_json.exit_code,
        json.loads(as_json.stdout),
    )
    said, _, heading, row = as_table.stdout.splitlines()
    assert said.startswith("Everything is as the log says")
    assert ["test destination", "account", "until"] == cells(heading)
    assert [record["id"], record["accountId"], record["until"]] == cells(row)
    assert [] == json.loads(after.stdout)["testDestinations"]


def test_the_help_has_examples(alone: Run) -> None:
    """The group lists its commands, and `add` shows how to keep the code out of a shell's history."""
    shown = alone("test-destinations", "--help").stdout
    added = alone("test-destinations", "add", "--help").stdout

    assert all(each in shown for each in ("add", "list", "remove"))
    assert "watchword test-destinations add +447700900000 --code 123456" in added
    assert "< code.txt" in added
