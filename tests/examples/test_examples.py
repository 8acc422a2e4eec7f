"""The examples run unchanged, and print the promised output."""

from __future__ import annotations

import base64
import re
import runpy
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from standardwebhooks.webhooks import Webhook

from tests.entrypoints.cli.processes import served

HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")
EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, cwd: Path, *arguments: str) -> str:
    """Run an example in an empty directory, without warnings, and return its output."""
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
    """`fallback.py` shows a run before and after its deadline, and the received message."""
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
    """`short_link.py` shows the received text, the link's target, the click, and the report."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        said = run("short_link.py", tmp_path, sandbox.url, "sandbox-key", "sandbox-admin")
    sent, led, clicked, *reported = said.splitlines()

    assert re.fullmatch(rf"Pay here: {sandbox.url}/s/\w{{16}}", sent)
    assert "302 https://tea.example/pay?order=4711" == led
    assert re.fullmatch(r"msg_\w+ clicked at \S+Z", clicked)
    assert ["sandbox sms to +447700900005: delivered (accepted, delivered)"] == reported


def test_a_back_end_talks_to_a_sandbox(tmp_path: Path) -> None:
    """`http_client.py` sends one code for two requests, and distinguishes wrong and right guesses."""
    with served(tmp_path / "var", "--sandbox") as sandbox:
        said = run("http_client.py", tmp_path, sandbox.url)

    assert [
        "PENDING, sent once: True",
        "pin_incorrect: 4 attempts left",
        "VERIFIED",
    ] == said.splitlines()


def test_a_receiver_is_told_of_a_pin(tmp_path: Path) -> None:
    """`callbacks.py` makes an endpoint for itself, and believes what was signed with its secret."""
    with served(tmp_path / "var", "--sandbox", "--allow-private-urls") as sandbox:
        keys = ("sandbox-key", "sandbox-admin")
        said = run("callbacks.py", tmp_path, sandbox.url, *keys)

    assert ["pin.issued of our PIN: True", "pin.dispatched of our PIN: True"] == said.splitlines()


def test_a_receiver_believes_no_stranger() -> None:
    """A signature of the Standard Webhooks library is accepted; a changed body, time or secret is not."""
    verified = runpy.run_path(str(EXAMPLES / "callbacks.py"))["verified"]
    secret, other = (f"whsec_{base64.b64encode(each * 32).decode()}" for each in (b"k", b"o"))
    now, body = datetime.now(UTC), '{"type":"pin.verified"}'

    def headers(at: datetime, key: str = secret) -> dict[str, str]:
        signature = Webhook(key).sign("dlv_1", at, body)
        stamp = str(int(at.timestamp()))
        return dict(zip(HEADERS, ("dlv_1", stamp, f"v1,bm8= {signature}"), strict=True))

    assert {"type": "pin.verified"} == verified(secret, headers(now), body.encode())
    for given, content in (
        (headers(now), body.encode() + b" "),
        (headers(now - timedelta(minutes=6)), body.encode()),
        (headers(now) | {"webhook-id": "dlv_2"}, body.encode()),
        (headers(now, other), body.encode()),
    ):
        with pytest.raises(PermissionError):
            verified(secret, given, content)
