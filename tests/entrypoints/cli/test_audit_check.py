"""`watchword audit check`: every fault that is planted in a store is found, and named."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import watchword
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served

PHONE = "+919812345610"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with a PIN that was verified after a wrong guess, and one that waits."""

    async def fill() -> None:
        async with watchword.open(
            f"sqlite:///{tmp_path / 'watchword.db'}", data_dir=tmp_path, sandbox=True
        ) as service:
            assert service.sandbox is not None
            pin = (await service.pins.issue("demo", "tpl_demo", PHONE)).pin_id
            code = service.sandbox.provider.outbox()[-1].text[-7:-1]
            with pytest.raises(watchword.DomainError):
                await service.pins.verify(account="demo", pin=pin, code="wrong")
            await service.sandbox.advance(timedelta(seconds=5))
            await service.pins.verify(account="demo", pin=pin, code=code)
            await service.pins.issue("demo", "tpl_demo", PHONE, reference_id="order-7")

    asyncio.run(fill())
    return tmp_path / "watchword.db"


def plant(store: Path, fault: str, **values: str) -> None:
    """Change a store behind the service's back."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(fault, values)


def one(store: Path, query: str) -> Any:
    """Return one value of a store."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute(query).fetchone()[0]


def found(run: Run) -> list[Sequence[str]]:
    """Check a store that has faults; return the rows of the table behind position and kind."""
    checked = run("audit", "check")

    assert 1 == checked.exit_code
    heading, _, columns, *rows = checked.stdout.splitlines()
    assert f"{len(rows)} difference" == heading.removesuffix("s")
    assert ["position", "kind", "what", "id", "field", "expected", "found"] == cells(columns)
    return [[each for each in cells(row) if not each.isdigit()][1:] for row in rows]


def test_a_store_as_it_should_be(alone: Run, store: Path) -> None:
    """A store that the service wrote has no difference: one sentence, and exit status 0."""
    events = one(store, "SELECT count(*) FROM stored_events")
    streams = one(store, "SELECT count(DISTINCT originator_id) FROM stored_events")
    checked = alone("audit", "check")

    assert (
        0,
        f"Everything is as the log says: {events} events of {streams} streams.\n",
    ) == (checked.exit_code, checked.stdout)


def test_a_running_service_is_checked_beside_it(beside: Run, sandbox: Served) -> None:
    """The check sees one moment of a store that is being written."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    sandbox.ask("POST", "/v1/pins", {"destination": PHONE, "templateId": "tpl_demo"})

    assert 0 == beside("audit", "check").exit_code


VERIFIED = "SELECT pin_id FROM verifications WHERE status = 'VERIFIED'"
WAITING = "SELECT pin_id FROM verifications WHERE status = 'PENDING'"


@pytest.mark.parametrize(
    ("fault", "whose", "named"),
    [
        pytest.param(
            "UPDATE verifications SET attempts_remaining = 9 WHERE status = 'PENDING'",
            WAITING,
            ["verification row", "{}", "attempts remaining", "5", "9"],
            id="a changed PIN",
        ),
        pytest.param(
            "UPDATE verifications SET sealed = substr(sealed, 1, 4) WHERE status = 'PENDING'",
            WAITING,
            ["verification row", "{}", "destination", "***", "***"],
            id="a destination that was removed",
        ),
        pytest.param(
            "UPDATE verifications SET sealed = (SELECT sealed FROM verifications"
            " WHERE status = 'VERIFIED') WHERE status = 'PENDING'",
            WAITING,
            ["verification row", "{}", "", "a row", "an unreadable row"],
            id="the destination of another PIN",
        ),
        pytest.param(
            "UPDATE verifications SET created_at = 'tea time' WHERE status = 'PENDING'",
            WAITING,
            ["verification row", "{}", "", "a row", "an unreadable row"],
            id="a row that is none",
        ),
        pytest.param(
            "DELETE FROM verifications WHERE pin_id = :whom",
            VERIFIED,
            ["verification row", "{}", "", "a row", "no row"],
            id="a missing PIN",
        ),
        pytest.param(
            "INSERT INTO accounts (id, name, created_at)"
            " VALUES ('acc_0', 'nobody', '2031-05-04T12:00:00+00:00')",
            "SELECT 'acc_0'",
            ["account row", "{}", "", "no row", "a row"],
            id="an account that nobody made",
        ),
        pytest.param(
            "INSERT INTO accounts (id, name, created_at) SELECT 'tpl_zzz', name, created_at FROM accounts",
            "SELECT 'tpl_zzz'",
            ["account row", "{}", "", "no row", "a row"],
            id="one behind the last stream",
        ),
        pytest.param(
            "UPDATE pin_templates SET name_folded = 'Demo'",
            "SELECT 'tpl_demo'",
            ["pin template row", "{}", "name folded", "demo", "Demo"],
            id="a changed template",
        ),
        pytest.param(
            "UPDATE api_keys SET revoked_at = '2031-05-04T12:00:00.000000+00:00'",
            "SELECT id FROM api_keys",
            ["api key row", "{}", "revoked at", "nothing", "2031-05-04T12:00:00+00:00"],
            id="a key that was not revoked",
        ),
        pytest.param(
            "UPDATE channel_accounts SET config = '{\"mirror\": 1}' WHERE channel_type = 'sms'",
            "SELECT id FROM channel_accounts WHERE channel_type = 'sms'",
            ["channel account row", "{}", "config", "***", "***"],
            id="a changed channel account",
        ),
        pytest.param(
            "UPDATE fallback_configurations SET steps = '[\"rcs\"]' WHERE fallback_id = 'demo'",
            "SELECT id FROM fallback_configurations WHERE fallback_id = 'demo'",
            ["fallback configuration row", "{}", "steps", '["sms"]', '["rcs"]'],
            id="a changed fallback configuration",
        ),
        pytest.param(
            "DELETE FROM holders WHERE subject LIKE 'fallback-name:%:demo'",
            "SELECT id FROM fallback_configurations WHERE fallback_id = 'demo'",
            ["holder", "{}", "fallback-name", "held", "not held"],
            id="a fallback configuration whose word is free",
        ),
        pytest.param(
            "DELETE FROM holders WHERE holder = :whom AND subject LIKE 'live-code:%'",
            WAITING,
            ["holder", "{}", "live-code", "held", "not held"],
            id="a live code that nobody holds",
        ),
        pytest.param(
            "INSERT INTO holders SELECT subject, :whom FROM holders WHERE subject LIKE 'live-code:%'",
            VERIFIED,
            ["holder", "{}", "live-code", "not held", "held"],
            id="a live code that a dead PIN holds",
        ),
        pytest.param(
            "DELETE FROM holders WHERE holder = :whom AND subject LIKE 'provider-message:%'",
            VERIFIED,
            ["holder", "{}", "provider-message", "held", "not held"],
            id="a code whose provider's id is free",
        ),
        pytest.param(
            "INSERT INTO holders VALUES ('account-name:tea', 'zzz')",
            "SELECT 'zzz'",
            ["holder", "{}", "account-name", "not held", "held"],
            id="a name that a stranger holds",
        ),
        pytest.param(
            "DELETE FROM stored_events WHERE originator_id = :whom AND originator_version = 3",
            VERIFIED,
            ["event", "{}", "version", "3", "4"],
            id="a missing event",
        ),
        pytest.param(
            "DELETE FROM stored_events WHERE originator_id = :whom AND originator_version = 1",
            VERIFIED,
            ["event", "{}", "version", "1", "2"],
            id="a missing beginning",
        ),
        pytest.param(
            "UPDATE stored_events SET rowid = 1000000 WHERE originator_id = :whom"
            " AND originator_version = 2",
            VERIFIED,
            ["event", "{}", "position of version 3", "behind 1000000", "17"],
            id="an event out of its place",
        ),
        pytest.param(
            "UPDATE stored_events SET topic = 'PinSold/1' WHERE topic = 'PinVerified/1'",
            VERIFIED,
            ["event", "{}", "form of version 4", "an event of this release", "PinSold/1"],
            id="an unknown topic",
        ),
        pytest.param(
            "UPDATE stored_events SET topic = 'PinVerified/7' WHERE topic = 'PinVerified/1'",
            VERIFIED,
            ["event", "{}", "form of version 4", "an event of this release", "PinVerified/7"],
            id="an unknown schema",
        ),
        pytest.param(
            "UPDATE stored_events SET topic = 'os.system' WHERE topic = 'PinVerified/1'",
            VERIFIED,
            ["event", "{}", "form of version 4", "an event of this release", "os.system"],
            id="a topic that names code",
        ),
        pytest.param(
            "UPDATE stored_events SET state = x'7b' WHERE topic = 'PinVerified/1'",
            VERIFIED,
            ["event", "{}", "form of version 4", "an event of this release", "PinVerified/1"],
            id="an event that is no event",
        ),
        pytest.param(
            "UPDATE stored_events SET topic = 'ApiKeyUsed/1' WHERE topic = 'PinVerified/1'",
            VERIFIED,
            ["event", "{}", "kind of version 4", "an event of its pin", "ApiKeyUsed/1"],
            id="an event of another kind of thing",
        ),
        pytest.param(
            "UPDATE stored_events SET topic = 'ApiKeyUsed/1' WHERE topic = 'AccountCreated/1'",
            "SELECT id FROM accounts",
            ["event", "{}", "kind of version 1", "ApiKeyCreated", "ApiKeyUsed/1"],
            id="a beginning that is none",
        ),
    ],
)
def test_a_planted_fault_is_named(
    fault: str, whose: str, named: list[str], alone: Run, store: Path
) -> None:
    """The line names kind, id and field, the value in the log, and the value found."""
    whom = one(store, whose)
    plant(store, fault, whom=whom)

    expected = [each.format(whom) for each in named if each and not each.isdigit()]
    assert expected in found(alone)


def test_every_difference_is_listed_unless_fewer_are_wanted(alone: Run, store: Path) -> None:
    """All of them stand in the table; with `--limit` the first, and below it how many more there are."""
    plant(
        store,
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 34)"
        " INSERT INTO holders SELECT 'account-name:' || i, 'zz' || i FROM n",
    )
    heading, _, _, *rows = alone("audit", "check").stdout.splitlines()
    _, _, _, *first = alone("audit", "check", "--limit", "3").stdout.splitlines()

    assert "25 differences" == heading
    assert [f"zz{number}" for number in range(10, 35)] == [cells(row)[2] for row in rows]
    assert ["zz10", "zz11", "zz12"] == [cells(row)[2] for row in first[:3]]
    assert ["", "and 22 more"] == first[3:]


def test_differences_as_json(alone: Run, store: Path) -> None:
    """Each difference has its kind, and its position in the log if it has one (C-105)."""
    plant(store, "UPDATE verifications SET status = 'BLOCKED' WHERE status = 'PENDING'")
    position = one(store, "SELECT rowid FROM stored_events WHERE topic = 'PinVerified/1'")
    plant(store, "UPDATE stored_events SET topic = 'PinSold/1' WHERE topic = 'PinVerified/1'")
    checked = alone("audit", "check", "--json")
    record = json.loads(checked.stdout)

    assert (1, {"differences", "total", "testDestinations"}) == (checked.exit_code, record.keys())
    assert record["total"] == len(record["differences"])
    unreadable, row = (
        next(each for each in record["differences"] if each["kind"] == kind)
        for kind in ("form", "row")
    )
    assert (position, "Event", "PinSold/1") == tuple(
        unreadable[name] for name in ("position", "what", "found")
    )
    assert {"kind", "what", "id", "field", "expected", "found"} == row.keys()
    assert ("VerificationRow", "status", "PENDING", "BLOCKED") == tuple(
        row[name] for name in ("what", "field", "expected", "found")
    )


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_of_a_long_text_the_beginning_is_shown(
    form: tuple[str, ...], alone: Run, store: Path
) -> None:
    """A text of megabytes is printed as 200 characters and its length, wherever it occurs."""
    long = "tea" * 1_000_000
    plant(store, "INSERT INTO holders VALUES (:long, :long)", long=long)
    plant(store, "UPDATE stored_events SET topic = :long WHERE topic = 'PinVerified/1'", long=long)
    told = alone("audit", "check", *form).stdout

    assert len(told) < 20_000
    # The holder's id and what it holds, and the event's topic.
    assert 3 == told.count("… (3000000 characters)")


def test_a_column_too_many_is_shown(alone: Run, store: Path) -> None:
    """Two definitions that begin alike are shown from shortly before their difference."""
    plant(store, "ALTER TABLE verifications ADD COLUMN tea TEXT")
    ((what, name, field, expected, has),) = found(alone)

    assert ("table", "verifications", "definition") == (what, name, field)
    assert expected.startswith("…")
    assert "tea" not in expected
    assert ", tea TEXT," in has


def test_nothing_personal_and_no_hash_is_told(alone: Run, store: Path) -> None:
    """Differences of destinations, references and key hashes name no value (C-31, C-32)."""
    plant(store, "UPDATE verifications SET sealed = substr(sealed, 1, 4)")
    plant(store, "DELETE FROM holders")
    told = alone("audit", "check").stdout + alone("audit", "check", "--json").stdout

    assert {"holder", "***"} <= set(told.split())
    assert not re.search(r"9812345610|order-|[0-9a-f]{64}", told)


def damage(store: Path, table: str, at: int) -> None:
    """Overwrite some bytes of a table's first page."""
    plant(store, "PRAGMA journal_mode=DELETE")
    root = one(store, f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")  # noqa: S608  our own table
    size = one(store, "PRAGMA page_size")
    with store.open("r+b") as file:
        file.seek((root - 1) * size + at % size)
        file.write(b"\xff" * 20)


@pytest.mark.parametrize("at", [0, 1, 8])
def test_a_damaged_file_is_told_by_the_store_itself(at: int, alone: Run, store: Path) -> None:
    """If the database finds its own file damaged, nothing else is printed."""
    damage(store, "uses", at)

    assert {"store"} == {what for what, *_ in found(alone)}


def test_what_cannot_even_be_read_is_said(alone: Run, store: Path) -> None:
    """If the database gives up, its reason is printed."""
    damage(store, "uses", at=-20)
    refused = alone("audit", "check")

    assert 1 == refused.exit_code
    assert refused.stderr.startswith("Error: The store cannot be read: ")


def test_a_missing_store_is_not_made(alone: Run, tmp_path: Path) -> None:
    """A check goes to a store alone, and so does its hint."""
    refused = alone("audit", "check")

    assert (
        1,
        f"Error: There is no store at {tmp_path / 'watchword.db'}."
        " Name one with --store or --data-dir.\n",
        [],
    ) == (refused.exit_code, refused.stderr, list(tmp_path.iterdir()))


def test_what_levers_did_is_as_it_should_be(alone: Run, tmp_path: Path) -> None:
    """A suspended account and a removed medium agree with the log, but not with a file that came back."""

    async def pull() -> str:
        async with watchword.open(
            f"sqlite:///{tmp_path / 'watchword.db'}", data_dir=tmp_path, sandbox=True
        ) as service:
            kept = await service.media.create("demo", b"tea")
            removed = await service.media.create("demo", b"tea")
            await service.media.remove(removed)
            await service.accounts.suspend("demo")
            (tmp_path / "spare").write_bytes((tmp_path / "media" / kept.id).read_bytes())
            return removed.id

    medium = asyncio.run(pull())
    checked = alone("audit", "check")
    assert (0, "Everything is as the log says") == (checked.exit_code, checked.stdout[:29])

    (tmp_path / "spare").rename(tmp_path / "media" / medium)
    assert [["file", medium, "none", "a file"]] == found(alone)
