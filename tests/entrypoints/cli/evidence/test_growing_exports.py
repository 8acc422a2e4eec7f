"""`watchword audit export` with --csv, --resume and --follow, and its filters (C-82, C-105)."""

from __future__ import annotations

import csv
import io
import json
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served, command, environment, until

PHONE = "+919812345610"


@pytest.fixture(autouse=True)
def pin_id(sandbox: Served) -> str:
    """Write a PIN into the log."""
    return issued(sandbox)


def issued(sandbox: Served) -> str:
    """Write a PIN into the log, and return its id."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    body = {"destination": PHONE, "templateId": "tpl_demo", "referenceId": "=order"}
    _, answer = sandbox.ask("POST", "/v1/pins", body)
    return str(answer["pinId"])


def read(lines: str) -> list[Any]:
    """Return the events of JSON Lines, without the record of reads, which may come at any time (D-467)."""
    events = [json.loads(line) for line in lines.splitlines()]
    return [each for each in events if each["type"] != "AuditRead"]


def test_the_filters_of_the_endpoint_are_options(auditor: Run, pin_id: str) -> None:
    """Streams, actors and times narrow an export as they narrow the endpoint, beside a service or by it."""
    whole = read(auditor("audit", "export").stdout)
    story = [each for each in whole if each["streamId"] == pin_id]
    at, actor = story[0]["occurredAt"], story[0]["actor"]

    for options, wanted in (
        (["--stream", pin_id], story),
        (["--actor", actor], [each for each in whole if each["actor"] == actor]),
        (["--from", at], [each for each in whole if each["occurredAt"] >= at]),
        (["--to", at], [each for each in whole if each["occurredAt"] < at]),
        (["--stream", pin_id, "--type", "PinIssued"], story[:1]),
    ):
        assert wanted == read(auditor("audit", "export", *options).stdout), options


def test_csv_has_the_same_events(auditor: Run, pin_id: str) -> None:
    """A line each under a heading; `data` is JSON, and no cell can run as a formula."""
    exported = auditor("audit", "export", "--csv", "--stream", pin_id)
    story = read(auditor("audit", "export", "--stream", pin_id).stdout)
    rows = list(csv.DictReader(io.StringIO(exported.stdout)))

    assert [str(each["position"]) for each in story] == [row["position"] for row in rows]
    assert [each["data"] for each in story] == [json.loads(row["data"]) for row in rows]
    assert list(story[0]) == list(rows[0])
    assert not any(cell.startswith("=") for row in rows for cell in row.values())


def test_a_csv_file_begins_with_the_mark_of_utf_8(beside: Run, tmp_path: Path) -> None:
    """Spreadsheets know the encoding by it."""
    file = tmp_path / "log.csv"
    beside("audit", "export", "--csv", "--output", str(file))

    assert b"\xef\xbb\xbfposition,eventId," == file.read_bytes()[:20]


@pytest.mark.parametrize("form", [[], ["--csv"]])
def test_an_export_goes_on_behind_the_last_whole_line(
    auditor: Run, sandbox: Served, tmp_path: Path, form: list[str]
) -> None:
    """Wherever it was cut, the file becomes the one that a single export writes."""
    file, whole = tmp_path / "log", tmp_path / "whole"
    options = ["audit", "export", *form, "--resume", "--output", str(file)]
    assert 0 == auditor(*options).exit_code
    issued(sandbox)
    auditor("audit", "export", *form, "--output", str(whole))
    wanted = whole.read_bytes()
    for cut in (0, 10, wanted.index(b"\n") + 1, len(wanted) // 2, len(wanted) - 1, len(wanted)):
        file.write_bytes(wanted[:cut])
        resumed = auditor(*options)
        assert (0, "") == (resumed.exit_code, resumed.stderr)
        assert file.read_bytes().startswith(wanted), cut


def test_a_new_file_is_its_owners_alone(beside: Run, tmp_path: Path) -> None:
    """Nobody else may read a log in clear."""
    file = tmp_path / "log.jsonl"
    beside("audit", "export", "--resume", "--output", str(file))

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)


def test_a_file_of_another_log_is_left_as_it_is(auditor: Run, tmp_path: Path) -> None:
    """The last event of the file has to be in this log, by its id."""
    file = tmp_path / "log.jsonl"
    auditor("audit", "export", "--output", str(file))
    lines = read(file.read_text())[:5]
    lines[-1]["eventId"] = "evt_of_another_log"
    found = "".join(f"{json.dumps(each)}\n" for each in lines) + "torn"
    file.write_text(found)
    refused = auditor("audit", "export", "--resume", "--output", str(file))

    assert (1, found) == (refused.exit_code, file.read_text())
    assert "at position 5, is not in this log." in refused.stderr


@pytest.mark.parametrize("found", ["tea\n", "{}\n", "position,eventId\n", "\n"])
def test_what_is_no_export_in_this_form_is_left_as_it_is(
    beside: Run, tmp_path: Path, found: str
) -> None:
    """An export does not spoil a file that has something else."""
    file = tmp_path / "log.jsonl"
    file.write_text(found)
    refused = beside("audit", "export", "--resume", "--output", str(file))

    assert (1, found) == (refused.exit_code, file.read_text())
    assert "is no event in the form of this export" in refused.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--resume"], "Name it with --output."),
        (["--resume", "--after", "3", "--output", "x"], "behind the file's last line"),
        (["--follow", "--to", "2031-05-04"], "--follow has no end"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    beside: Run, options: list[str], told: str
) -> None:
    """A sentence says which."""
    refused = beside("audit", "export", *options)

    assert 2 == refused.exit_code
    assert told in refused.stderr


def test_following_spoils_no_file(beside: Run, tmp_path: Path) -> None:
    """Without --resume, a file that has something in it is left alone."""
    file = tmp_path / "log.jsonl"
    file.write_text("older\n")
    refused = beside("audit", "export", "--follow", "--output", str(file))

    assert (2, "older\n") == (refused.exit_code, file.read_text())
    assert "go on with it by --resume" in refused.stderr


def contains(file: Path, text: str) -> bool:
    """Whether a file has a text."""
    return text in file.read_text()


@contextmanager
def following(*options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run an export that follows the log until the end of the block, which ends it by Ctrl-C."""
    export = subprocess.Popen(
        command("audit", "export", "--follow", *options),
        env=environment(WATCHWORD_ADMIN_TOKEN="sandbox-admin"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield export
        export.send_signal(signal.SIGINT)
        told, complaint = export.communicate(timeout=30)
        assert (0, b"", b"") == (export.returncode, told, complaint)
    finally:
        export.kill()
        export.wait(timeout=30)


@pytest.mark.parametrize("way", ["--data-dir", "--url"])
def test_an_export_follows_the_log_until_it_is_interrupted(
    sandbox: Served, tmp_path: Path, way: str
) -> None:
    """New events are in the file soon, in whole lines; Ctrl-C ends it with 0, and it can be gone on with."""
    file = tmp_path / "log.jsonl"
    where = str(sandbox.data_dir) if way == "--data-dir" else sandbox.url
    filters = ("--type", "PinIssued", way, where)
    for resume in ((), ("--resume",)):
        with following("--output", str(file), *resume, *filters):
            until(lambda: file.exists() and file.stat().st_size > 0)
            fresh = issued(sandbox)
            until(partial(contains, file, fresh))
    positions = [each["position"] for each in read(file.read_text())]

    assert sorted(set(positions)) == positions


def test_two_exports_do_not_write_one_file(sandbox: Served, beside: Run, tmp_path: Path) -> None:
    """The second is refused, and the first goes on."""
    file = tmp_path / f"{uuid4().hex}.jsonl"
    with following("--output", str(file), "--data-dir", str(sandbox.data_dir)):
        until(lambda: file.exists() and file.stat().st_size > 0)
        refused = beside("audit", "export", "--resume", "--output", str(file))

    assert 2 == refused.exit_code
    assert "Another command is writing" in refused.stderr
