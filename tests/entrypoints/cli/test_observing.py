"""The output of a served process, on stderr and on the metrics port (C-1)."""

from __future__ import annotations

import base64
import http.client
import json
import signal
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.cli.processes import Served, run, served

TOKEN = "tok-en-" + "t" * 32
SECRET = base64.b64encode(b"a code key that is thirty-two by").decode()


def ended(running: Served) -> list[dict[str, Any]]:
    """Stop a service, and return its log: every line on stderr is JSON."""
    running.process.send_signal(signal.SIGTERM)
    _, log = running.process.rest(timeout=60)
    lines = [json.loads(line) for line in log.splitlines()]
    # How busy the machine's disk is, no test knows.
    return [line for line in lines if line["event"] != "slow_commit"]


def metrics(port: int) -> str:
    """Read the metrics."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/metrics")
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def test_a_life_is_told_in_four_lines(tmp_path: Path) -> None:
    """Started, with version, store and key versions; ready, with addresses; draining; stopped."""
    with served(tmp_path, WATCHWORD_CODE_KEY=f"3:{SECRET}", WATCHWORD_ADMIN_TOKEN=TOKEN) as it:
        log = ended(it)

    assert ["started", "ready", "draining", "stopped"] == [line["event"] for line in log]
    assert ("sqlite", [3], False) == tuple(
        log[0][name] for name in ("store", "key_versions", "sandbox")
    )
    assert it.url == f"http://{log[1]['host']}:{log[1]['port']}"
    assert not [secret for secret in (SECRET, TOKEN) if secret in str(log)]


def test_metrics_have_a_port_of_their_own(tmp_path: Path) -> None:
    """`--metrics-port` serves the counts of requests, and the log names the port."""
    with served(tmp_path, "--sandbox", "--metrics-port", "0", "--log-format", "text") as running:
        ready = next(line for line in running.process.stderr if " ready " in line)
        running.ask("POST", "/v1/pins", {"destination": "+919812345611", "templateId": "tpl_demo"})
        text = metrics(int(ready.rsplit("metrics_port=", 1)[1]))

    assert 'watchword_dispatches_total{channel="sms",outcome="accepted"} 1.0' in text
    assert "watchword_open_connections" in text
    assert 'watchword_follower_lag{follower="callbacks"} 0.0' in text


def test_an_access_log_is_asked_for(tmp_path: Path) -> None:
    """
    `--access-log` adds a line for each request, and `--log-level` says what is left out.

    The client is the one that a `--trusted-proxy` forwards for.
    """
    flags = ("--sandbox", "--access-log", "--trusted-proxy", "127.0.0.0/8")
    with served(tmp_path / "a", *flags) as talking:
        talking.ask("GET", "/health/live", **{"X-Forwarded-For": "192.0.2.7"})
        answered = [line for line in ended(talking) if line["event"] == "answered"]
    with served(tmp_path / "b", "--sandbox", WATCHWORD_LOG_LEVEL="error") as silent:
        silent.ask("GET", "/v1/templates", key="nobody's")
        nothing = ended(silent)

    assert [("192.0.2.7", "GET", "/health/live", 200)] == [
        (line["client"], line["method"], line["route"], line["status"]) for line in answered
    ]
    assert [] == nothing


def test_bytes_that_are_no_request_are_not_quoted(tmp_path: Path) -> None:
    """Neither the answer nor the log contains a byte of an unreadable request (C-31)."""
    with served(tmp_path, "--sandbox") as running:
        address = ("127.0.0.1", int(running.url.rsplit(":", 1)[1]))
        with socket.create_connection(address, timeout=30) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nAuthorization Bearer CANARY\r\n\r\n")
            answer = connection.recv(1000)
        log = ended(running)

    assert answer.startswith(b"HTTP/1.0 400")
    assert b"CANARY" not in answer
    assert "CANARY" not in str(log)


@pytest.mark.parametrize("taken", ["--port", "--metrics-port"])
def test_a_taken_port_is_named_by_its_flag(tmp_path: Path, taken: str, sandbox: Served) -> None:
    """For either port, one sentence names the option to change."""
    port = sandbox.url.rsplit(":", 1)[1]
    refused = run("serve", "--data-dir", str(tmp_path), "--port", "0", taken, port)

    assert f"Choose another --host or {taken}." in refused.stderr
