"""The examples run as they stand, and print what they promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.entrypoints.cli.processes import served

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, cwd: Path, *arguments: str) -> str:
    """Run an example in an empty directory, without warnings, and give what it prints."""
    return subprocess.run(
        [sys.executable, EXAMPLES / name, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout


def test_the_service_runs_inside_a_program(tmp_path: Path) -> None:
    """`embed.py` sends a code its own way, refuses a wrong guess, takes the right one, and replays."""
    sent, *rest = run("embed.py", tmp_path).splitlines()

    assert re.fullmatch(r"SMS to \+919812345610: \d{6} signs you in\.", sent)
    assert [
        "pin_incorrect: 4 attempts remaining",
        "VERIFIED with 4 attempts remaining",
        "PinIssued > PinDispatched > VerifyFailed > PinVerified",
    ] == rest
    assert [] == list(tmp_path.iterdir())


def test_a_message_falls_back(tmp_path: Path) -> None:
    """`fallback.py` shows a run before and after its deadline, and what the phone got."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        *said, replay = run("fallback.py", tmp_path, sandbox.url, "sandbox-key").splitlines()

    assert [
        "rcs: accepted, falls back after 60 s",
        "rcs accepted; fallback armed: sms armed",
        "rcs revoked; fallback fired: sms accepted",
        "rcs to +447700900003: Hello Asha, your order 4711 is on its way.",
        "sms to +447700900003: Your order 4711 is on its way.",
    ] == said
    assert replay.startswith("watchword audit replay run_")


def test_a_link_is_followed_and_reported(tmp_path: Path) -> None:
    """`short_link.py` shows the text that arrived, where its link leads, the click, and the report."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        said = run("short_link.py", tmp_path, sandbox.url, "sandbox-key", "sandbox-admin")
    sent, led, clicked, *reported = said.splitlines()

    assert re.fullmatch(rf"Pay here: {sandbox.url}/s/\w{{16}}", sent)
    assert "302 https://tea.example/pay?order=4711" == led
    assert re.fullmatch(r"msg_\w+ clicked at \S+Z", clicked)
    assert ["sandbox sms to +447700900005: delivered (accepted, delivered)"] == reported


def test_a_back_end_talks_to_a_sandbox(tmp_path: Path) -> None:
    """`http_client.py` sends one code for two requests, and tells a wrong guess from the right one."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        said = run("http_client.py", tmp_path, sandbox.url, "sandbox-key")

    assert [
        "PENDING, sent once: True",
        "pin_incorrect: 4 attempts left",
        "VERIFIED",
    ] == said.splitlines()
