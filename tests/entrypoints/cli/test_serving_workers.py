"""`watchword serve --workers`: several processes on one port, of which any may die (C-1, D-58)."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from yarl import URL

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import PATIENCE, Served, served, until
from tests.log_keys import LOG_KEY

TOKEN = "t" * 32
SECRETS = {
    "WATCHWORD_CODE_KEY": "1:" + "a" * 44,
    "WATCHWORD_LOG_KEY": LOG_KEY,
    "WATCHWORD_ADMIN_TOKEN": TOKEN,
}
RATING = "/whatsapp/chat/feedback"
CONNECTIONS = 10


@contextmanager
def two_workers(folder: Path, store: str) -> Iterator[Served]:
    """Serve with two workers that log every request."""
    more = ("--workers", "2", "--store", store, "--legacy-port", "0", "--access-log")
    with served(folder, *more, **SECRETS) as running:
        yield running


def workers(running: Served) -> set[int]:
    """Return the ids of the workers that live."""
    tasks = Path(f"/proc/{running.process.pid}/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split() if lives(pid)}


def lives(pid: str | int) -> bool:
    """Return whether a process has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def create(running: Served, name: str) -> str | None:
    """Create an account, and return its name if that was acknowledged."""
    with suppress(OSError, http.client.HTTPException):
        status, _ = running.ask("POST", "/admin/v1/accounts", {"name": name}, key=TOKEN)
        return name if status == 201 else None
    return None


def rated(running: Served) -> int:
    """Rate a chat at the legacy platform's own port, without a token."""
    place = running.said.partition("the legacy platform at ")[2].partition(",")[0]
    _, answer = evolve(running, url=place).ask("POST", RATING, {})
    return int(answer["responseCode"])


def recorded(running: Served) -> set[str]:
    """Return the names of all accounts in the log."""
    _, log = running.ask("GET", "/admin/v1/events?limit=1000", key=TOKEN)
    return {str(event["data"]["name"]) for event in log["data"]}


def asked(running: Served, stack: ExitStack, name: str) -> socket.socket:
    """Send a request that makes an account on a connection of its own, and read nothing."""
    url = URL(running.url)
    connection = stack.enter_context(
        socket.create_connection((str(url.host), url.port or 0), timeout=PATIENCE)
    )
    body = json.dumps({"name": name})
    connection.sendall(
        f"POST /admin/v1/accounts HTTP/1.1\r\nHost: {url.authority}\r\n"
        f"Authorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    return connection


def status(connection: socket.socket) -> int:
    """Read an answer's status."""
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    return answer.status


def log(running: Served) -> list[dict[str, Any]]:
    """Return the log of a service that has ended."""
    _, lines = running.process.rest(timeout=60)
    return [json.loads(line) for line in lines.splitlines()]


def test_the_operators_port_is_every_workers(postgres_url: str, tmp_path: Path) -> None:
    """`--admin-port` is bound once, as the other ports are, and whichever worker is free answers."""
    more = ("--workers", "2", "--store", postgres_url, "--admin-port", "0")
    with served(tmp_path, *more, **SECRETS) as running:
        place = running.said.partition("the operators' API at ")[2].partition(",")[0]
        operators = evolve(running, url=place)
        made = {f"shop-{number}" for number in range(10)}
        there = {create(operators, name) for name in made}
        here = create(running, "shop")
        kept = recorded(operators)

    assert (made, None) == (there, here)
    assert made == kept


def test_dead_workers_are_replaced(postgres_url: str, tmp_path: Path) -> None:
    """No acknowledged request is lost, and the next workers answer the waiting ones."""
    with two_workers(tmp_path, postgres_url) as running, ExitStack() as stack:
        one, other = first = workers(running)
        with ThreadPoolExecutor(8) as clients:
            names = [clients.submit(create, running, f"tea-{each}") for each in range(60)]
            os.kill(one, signal.SIGKILL)
            told = {name.result() for name in names} - {None}
        # The other worker serves on; then it dies too, while no successor is ready.
        assert create(running, "meanwhile")
        os.kill(other, signal.SIGSTOP)
        waiting = [asked(running, stack, f"waiting-{each}") for each in range(CONNECTIONS)]
        os.kill(other, signal.SIGKILL)
        assert [201] * CONNECTIONS == [status(each) for each in waiting]
        assert told | {"meanwhile"} <= recorded(running)
        until(lambda: len(second := workers(running)) == 2 and not second & set(first))
        # No worker outlives the one that would replace it.
        left = workers(running)
        running.process.send_signal(signal.SIGKILL)
        until(lambda: not any(lives(pid) for pid in left))


def test_a_stop_finishes_what_was_sent(postgres_url: str, tmp_path: Path, alone: Run) -> None:
    """Both workers serve, on both ports; after SIGTERM all before it is answered, and it exits 0."""
    with two_workers(tmp_path, postgres_url) as running, ExitStack() as stack:
        with ThreadPoolExecutor(8) as clients:
            told = set(clients.map(lambda each: create(running, f"tea-{each}"), range(100)))
            legacy = set(clients.map(lambda _: rated(running), range(20)))
        waiting = [asked(running, stack, f"waiting-{each}") for each in range(CONNECTIONS)]
        running.process.send_signal(signal.SIGTERM)
        answers = [status(each) for each in waiting]
        lines = log(running)
    export = alone("audit", "export", "--store", postgres_url).stdout

    assert (0, [201] * CONNECTIONS) == (running.process.poll(), answers)
    assert told | {f"waiting-{each}" for each in range(CONNECTIONS)} == {
        json.loads(line)["data"]["name"] for line in export.splitlines()
    }
    assert {1, 2} == {line["worker"] for line in lines if line["event"] == "answered"}
    assert {102} == legacy
    ratings = [line["worker"] for line in lines if line.get("route") == RATING]
    assert (20, {1, 2}) == (len(ratings), set(ratings))
    for event in ("started", "ready", "draining", "stopped"):
        assert [1, 2] == sorted(line["worker"] for line in lines if line["event"] == event)
    assert ["workers_ready"] == [line["event"] for line in lines if "worker" not in line]


def test_a_worker_that_does_not_start(alone: Run) -> None:
    """Its reason is printed once, and all workers end."""
    store = "postgresql://pin@127.0.0.1:1/pins"
    refused = alone("serve", "--port", "0", "--workers", "2", "--store", store, **SECRETS)

    (said,) = [line for line in refused.stderr.splitlines() if not line.startswith("{")]
    assert 1 == refused.exit_code
    assert said.startswith("Error: The store cannot be used: connection")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            (),
            "A SQLite file belongs to one process."
            " Leave --workers out, or name a PostgreSQL with --store.",
        ),
        (
            ("--store", "memory://"),
            "A store in memory is its own process's."
            " Leave --workers out, or name a PostgreSQL with --store.",
        ),
        (
            ("--sandbox", "--store", "postgresql://pin@127.0.0.1:1/pins"),
            "A sandbox has one process, whose memory holds its outbox. Leave --workers out.",
        ),
        (
            ("--store", "postgresql://pin@127.0.0.1:1/pins", "--metrics-port", "65535"),
            "The workers' metrics take ports 65535 to 65536, which must exist and be free of --port,"
            " --legacy-port, --admin-port and --console-port. Choose another --metrics-port.",
        ),
        (
            ("--store", "postgresql://pin@127.0.0.1:1/pins", "--metrics-port", "8079"),
            "The workers' metrics take ports 8079 to 8080, which must exist and be free of --port,"
            " --legacy-port, --admin-port and --console-port. Choose another --metrics-port.",
        ),
    ],
)
def test_where_one_process_has_to_do(arguments: tuple[str, ...], sentence: str, alone: Run) -> None:
    """It says why in one sentence, with a hint, and makes nothing."""
    refused = alone("serve", *arguments, WATCHWORD_WORKERS="2")

    assert (1, f"Error: {sentence}\n") == (refused.exit_code, refused.stderr)


@pytest.mark.parametrize("count", ["0", "65", "many"])
def test_how_many_workers(count: str, alone: Run) -> None:
    """The option takes 1 to 64."""
    refused = alone("serve", "--workers", count)

    assert 2 == refused.exit_code
    assert "'--workers'" in refused.stderr
