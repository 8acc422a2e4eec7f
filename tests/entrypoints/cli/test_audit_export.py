"""`watchword audit export`: the log, line by line, from a store or a running service."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served, command, environment

PHONE = "+919812345610"


@pytest.fixture(autouse=True)
def issued(sandbox: Served) -> None:
    """Write a PIN into the log."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    body = {"destination": PHONE, "templateId": "tpl_demo", "referenceId": "order-7"}
    sandbox.ask("POST", "/v1/pins", body)


def without_reads(events: Iterable[Any]) -> list[Any]:
    """Leave out the record of reads, which a sandbox that is read from writes at any time (D-467)."""
    return [each for each in events if each["type"] != "AuditRead"]


def exported_in(text: str) -> list[Any]:
    """Return the events of an export."""
    return without_reads(json.loads(line) for line in text.splitlines())


def shown(sandbox: Served, query: str = "") -> list[Any]:
    """Return the log as the endpoint shows it, page by page."""
    events: list[Any] = []
    after = 0
    while True:
        path = f"/admin/v1/events?limit=1000&after={after}&{query}"
        _, page = sandbox.ask("GET", path, key="sandbox-admin")
        if not page["data"]:
            return events
        events += without_reads(page["data"])
        after = page["next"]


def test_each_line_is_an_event_as_the_endpoint_shows_it(auditor: Run, sandbox: Served) -> None:
    """JSON Lines in commit order, each line exactly one entry of GET /admin/v1/events (C-38)."""
    exported = auditor("audit", "export")

    assert (0, "") == (exported.exit_code, exported.stderr)
    assert shown(sandbox) == exported_in(exported.stdout)
    assert exported.stdout.endswith("}\n")


def test_both_ways_write_the_same_bytes(beside: Run, connected: Run) -> None:
    """A file made beside the service and one made through it can be compared."""
    assert connected("audit", "export").stdout.startswith(beside("audit", "export").stdout)


def test_personal_data_are_masked_on_request(auditor: Run, sandbox: Served) -> None:
    """With `--mask` no line contains personal data."""
    exported = auditor("audit", "export", "--mask").stdout

    assert shown(sandbox, "mask=true") == exported_in(exported)
    assert PHONE not in exported
    assert "order-7" not in exported


def test_an_export_goes_on_where_another_ended(auditor: Run) -> None:
    """`--after` takes the last position of an earlier export."""
    lines = auditor("audit", "export").stdout.splitlines()
    position = json.loads(lines[2])["position"]

    rest = auditor("audit", "export", "--after", str(position)).stdout
    assert exported_in("\n".join(lines[3:])) == exported_in(rest)
    assert "" == auditor("audit", "export", "--after", "999999999").stdout


def test_more_than_a_page_is_exported(auditor: Run, sandbox: Served) -> None:
    """The log goes on past the thousand events of one page, each once."""
    for _ in range(max(0, 1_001 - len(shown(sandbox)))):
        sandbox.ask("POST", "/admin/v1/accounts", {"name": uuid4().hex}, key="sandbox-admin")
    positions = [each["position"] for each in exported_in(auditor("audit", "export").stdout)]

    assert [each["position"] for each in shown(sandbox)] == positions


def test_a_file_is_its_owners_alone(auditor: Run, tmp_path: Path) -> None:
    """The file replaces an older one completely, and only its owner may read it."""
    file = tmp_path / "log.jsonl"
    file.write_text("older")
    written = auditor("audit", "export", "--output", str(file))

    assert (0, "", "") == (written.exit_code, written.stdout, written.stderr)
    assert auditor("audit", "export", "--output", "-").stdout.startswith(file.read_text())
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [file] == list(tmp_path.iterdir())


def test_what_fails_half_way_leaves_the_older_file(alone: Run, tmp_path: Path) -> None:
    """A file is there whole or as it was, and nothing else is left beside it."""
    out = tmp_path / "out"
    out.mkdir()
    file = out / "log.jsonl"
    file.write_text("older")
    refused = alone("audit", "export", "--output", str(file), "--store", f"sqlite:///{file}")

    assert 1 == refused.exit_code
    assert ("older", [file]) == (file.read_text(), list(out.iterdir()))


def test_a_link_is_followed(beside: Run, tmp_path: Path) -> None:
    """The target of a link is replaced, not the link."""
    link, file = tmp_path / "latest", tmp_path / "log.jsonl"
    link.symlink_to(file)
    beside("audit", "export", "--output", str(link))

    assert link.is_symlink()
    assert file.read_text().startswith("{")


def test_what_is_no_file_is_left_alone(beside: Run, tmp_path: Path) -> None:
    """A device or a pipe is not replaced by a file of its name."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = beside("audit", "export", "--output", str(pipe))

    assert 2 == refused.exit_code
    assert "is no plain file. Use - for the standard output." in refused.stderr
    assert pipe.is_fifo()


def test_a_folder_that_is_not_there_is_said(beside: Run, tmp_path: Path) -> None:
    """One sentence and a hint."""
    refused = beside("audit", "export", "--output", str(tmp_path / "away" / "log.jsonl"))

    assert (
        1,
        f"Error: {tmp_path / 'away'} cannot be used: No such file or directory. Check the path.\n",
    ) == (refused.exit_code, refused.stderr)


def test_who_reads_the_head_alone_hears_no_complaint(sandbox: Served) -> None:
    """A pipe that is closed early ends the export quietly."""
    export = subprocess.Popen(
        command("audit", "export", "--data-dir", str(sandbox.data_dir)),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert export.stdout is not None
    assert export.stderr is not None
    export.stdout.close()
    complaint = export.stderr.read()
    export.wait(timeout=60)
    export.stderr.close()

    assert b"" == complaint


def test_an_event_that_cannot_be_read_is_said(alone: Run, tmp_path: Path) -> None:
    """An export stops at an unreadable event, and names it."""
    alone("accounts", "create", "shop")
    account = json.loads(alone("accounts", "list", "--json").stdout)[0]["id"]
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as connection, connection:
        connection.execute("UPDATE stored_events SET topic = 'AccountSold/1'")
    refused = alone("audit", "export")

    assert (
        1,
        f"Error: Version 1 of {account} (AccountSold/1) is not an event that this release can read."
        " Use the release that wrote it, and run `watchword audit check`.\n",
    ) == (refused.exit_code, refused.stderr)


def test_only_events_of_some_names_are_exported(auditor: Run, sandbox: Served) -> None:
    """`--type` may be given several times (C-93)."""
    exported = auditor("audit", "export", "--type", "PinIssued", "--type", "AccountCreated")
    lines = [json.loads(line) for line in exported.stdout.splitlines()]

    assert {"AccountCreated", "PinIssued"} == {each["type"] for each in lines}
    assert shown(sandbox, "type=PinIssued&type=AccountCreated") == lines


def test_a_name_that_no_event_has_exports_nothing(auditor: Run) -> None:
    """It is said, with the name that was meant, and no file is written."""
    exported = auditor("audit", "export", "--type", "PinIsued")

    assert (1, "") == (exported.exit_code, exported.stdout)
    assert "type must be the name of an event; did you mean PinIssued." in exported.stderr
