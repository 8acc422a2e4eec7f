"""`watchword audit replay --follow`: a history as it goes on (C-81)."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Any

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served, command, environment

PHONE = "+447700900777"


@pytest.fixture
def pin_id(sandbox: Served) -> str:
    """Send a PIN."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 86_400})
    _, answer = sandbox.ask("POST", "/v1/pins", {"destination": PHONE, "templateId": "tpl_demo"})
    return str(answer["pinId"])


def followed(*options: str) -> subprocess.Popen[str]:
    """Start to follow a history."""
    return subprocess.Popen(
        command("audit", "replay", "--follow", *options),
        env=environment(WATCHWORD_ADMIN_TOKEN="sandbox-admin"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def guess(sandbox: Served, pin_id: str) -> None:
    """Verify with a wrong code, once the template allows another guess."""
    sandbox.ask("POST", "/admin/v1/sandbox/clock/advance", {"seconds": 10})
    sandbox.ask("POST", f"/v1/pins/{pin_id}/verify", {"pin": "0"})


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Interrupt a command; return its status, and what it complained of."""
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=30)
    return process.returncode, complaint


def printed_until(process: subprocess.Popen[str], word: str) -> str:
    """Read up to the line with a word, and return it."""
    assert process.stdout is not None
    return next(line for line in process.stdout if word in line)


@pytest.mark.parametrize("way", ["--data-dir", "--url"])
def test_new_events_follow_with_the_state_after_them(
    sandbox: Served, pin_id: str, way: str
) -> None:
    """Each line of JSON is a document; Ctrl-C ends the command with 0."""
    where = str(sandbox.data_dir) if way == "--data-dir" else sandbox.url
    process = followed(pin_id, "--json", way, where)
    try:
        assert process.stdout is not None
        lines: list[Any] = [json.loads(process.stdout.readline())]
        for _ in range(2):
            guess(sandbox, pin_id)
            lines.append(json.loads(process.stdout.readline()))
        status = ended(process)
    finally:
        process.kill()

    assert (0, "") == status
    first, second, third = lines
    left = first["state"]["attemptsRemaining"]
    assert ["PinIssued", "PinDispatched"] == [each["type"] for each in first["events"]]
    assert [["VerifyFailed"]] * 2 == [
        [each["type"] for each in line["events"]] for line in (second, third)
    ]
    assert [left - 1, left - 2] == [line["state"]["attemptsRemaining"] for line in (second, third)]


def test_a_new_event_is_a_line_below_the_tables(sandbox: Served, pin_id: str) -> None:
    """Time, version, name, actor and what changed."""
    process = followed(pin_id, "--data-dir", str(sandbox.data_dir))
    try:
        printed_until(process, "attempts remaining")
        guess(sandbox, pin_id)
        line = printed_until(process, "VerifyFailed")
        status = ended(process)
    finally:
        process.kill()

    assert (0, "") == status
    assert "attempts remaining" in line


def test_a_history_that_goes_on_has_no_end(beside: Run, pin_id: str) -> None:
    """A time and --follow contradict each other."""
    refused = beside("audit", "replay", pin_id, "--follow", "--at", "2031-05-04")

    assert 2 == refused.exit_code
    assert "--follow has no end" in refused.stderr
