"""SIGTERM, while clients are in the middle of their bodies (C-1, D-142)."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from yarl import URL

from tests.entrypoints.cli.processes import Served, served

MEDIA = "multipart/form-data; boundary=tea"
PIN = {"Authorization": "Bearer sandbox-key", "Content-Type": "application/json"}
MESSAGING = {"apikey": "sandbox-key", "Content-Type": "application/json"}
ADMIN = {"Authorization": "Bearer sandbox-admin", "Content-Type": "application/json"}


def half_sent(
    running: Served, stack: ExitStack, path: str, headers: dict[str, str]
) -> socket.socket:
    """Send a request's head and the beginning of its body, once the server has asked for that."""
    url = URL(running.url)
    line = stack.enter_context(socket.create_connection((str(url.host), url.port or 0), timeout=30))
    more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    line.sendall(
        f"POST {path} HTTP/1.1\r\nHost: {url.authority}\r\n{more}"
        "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n".encode()
    )
    assert line.recv(1_000).startswith(b"HTTP/1.1 100 ")
    line.sendall(b'{"destination": ')
    return line


def told(line: socket.socket) -> tuple[int, str | None, dict[str, Any]]:
    """Read an answer: its status, when to come back, and its body."""
    answer = http.client.HTTPResponse(line)
    answer.begin()
    return answer.status, answer.headers["Retry-After"], json.loads(answer.read())


def test_half_a_body_is_told_to_come_back(tmp_path: Path) -> None:
    """
    It is 503 at once, in the form of its area, and not 408 after the body's time (issue 19).

    Nothing was begun, so its sender can send it again to another node, and the stop does not wait for the
    rest of the body.
    """
    with served(tmp_path, "--sandbox") as running, ExitStack() as stack:
        lines = [
            half_sent(running, stack, path, headers)
            for path, headers in (
                ("/v1/pins", PIN),
                ("/admin/v1/accounts", ADMIN),
                ("/oapi/send_sms", MESSAGING),
                ("/rcs/mediaupload", {**MESSAGING, "Content-Type": MEDIA}),
                ("/account/enterprise/login", {"Content-Type": "application/json"}),
            )
        ]
        began = time.monotonic()
        running.process.send_signal(signal.SIGTERM)
        answers = [told(line) for line in lines]
        for line in lines:
            # More of it, as of a client that writes before it reads, resets nothing.
            line.sendall(b'"+919812345610"')
            line.close()
        code = running.process.wait(timeout=60)
        seconds = time.monotonic() - began

    (pin, admin, message, media, login) = answers
    assert [(503, "1")] * 4 + [(200, "1")] == [each[:2] for each in answers]
    assert "unavailable" == pin[2]["error"]["code"] == admin[2]["error"]["code"]
    assert "unavailable" == message[2]["code"]
    assert ("error", 503) == (media[2]["status"], media[2]["http_status"])
    assert 105 == login[2]["responseCode"]
    assert 0 == code
    # A body has 10 s to begin with, and a file 30.
    assert seconds < 9


def test_a_client_that_goes_on_sending_is_no_failure(tmp_path: Path) -> None:
    """Whoever sends on after its refusal is cut off, and leaves no error in the log (R28)."""
    with served(tmp_path / "data", "--sandbox") as running:
        url = URL(running.url)
        for _ in range(5):
            with (
                suppress(ConnectionError),
                socket.create_connection((str(url.host), url.port or 0), timeout=30) as line,
            ):
                line.sendall(
                    f"POST /v1/pins HTTP/1.1\r\nHost: {url.authority}\r\n"
                    "Authorization: Bearer sandbox-key\r\nContent-Type: application/json\r\n"
                    "Content-Length: 9000000\r\n\r\n".encode()
                )
                for _ in range(400):
                    line.sendall(b" " * 20_000)
        running.process.send_signal(signal.SIGTERM)
        _, complained = running.process.rest(30)
    logged = [json.loads(each) for each in complained.splitlines()]

    assert "stopped" == logged[-1]["event"]
    assert [] == [each["event"] for each in logged if each["level"] == "error"]
