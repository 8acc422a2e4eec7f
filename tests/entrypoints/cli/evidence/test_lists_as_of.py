"""`watchword audit list`: the lists of today, as they were (C-82, C-105)."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import watchword
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import Served
from tests.entrypoints.cli.test_messages import send
from tests.entrypoints.messaging.sends import SMS
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.evidence.tree import root, root_tiles

Noted = tuple[int, dict[str, list[Any]]]
PHONE, OTHER = "+447700900123", "+447700900124"
ROUTES = {"verifications": "verifications", "messages": "messages", "templates": "pin-templates"}


def operated(sandbox: Served, method: str, path: str, body: Any = None) -> Any:
    """Call a route of operators, with success."""
    status, answer = sandbox.ask(method, f"/admin/v1{path}", body, key="sandbox-admin")
    assert status in (200, 201), answer
    return answer


def newest(sandbox: Served) -> int:
    """Return the position of the newest event."""
    after = 0
    while (page := operated(sandbox, "GET", f"/events?limit=1000&after={after}"))["data"]:
        after = page["next"]
    return int(after)


def of_today(sandbox: Served, kind: str, query: Mapping[str, str]) -> list[Any]:
    """Return all rows of a list of today."""
    rows: list[Any] = []
    for page in range(1, 100):
        asked = urlencode({**query, "page": page, "pageSize": 100})
        found = operated(sandbox, "GET", f"/{ROUTES[kind]}?{asked}")
        rows += found["data"]
        if page >= found["totalPages"]:
            break
    return rows


def standing(sandbox: Served, query: Mapping[str, str]) -> tuple[int, dict[str, list[Any]]]:
    """Return the lists of today, and the position of the event that they stand at."""
    while True:
        before = newest(sandbox)
        lists = {kind: of_today(sandbox, kind, query) for kind in ROUTES}
        if newest(sandbox) == before:
            return before, lists


def listed(run: Run, kind: str, *options: str) -> list[Any]:
    """Return the rows of a list as it was."""
    answer = run("audit", "list", kind, *options, "--json")
    assert (0, "") == (answer.exit_code, answer.stderr)
    rows: list[Any] = json.loads(answer.stdout)["data"]
    return rows


def pin(sandbox: Served, destination: str = PHONE, template: str = "tpl_demo") -> str:
    """Send a PIN, a day after all others, and return its id."""
    operated(sandbox, "POST", "/sandbox/clock/advance", {"seconds": 86_400})
    body = {"destination": destination, "templateId": template, "referenceId": "order-7"}
    _, answer = sandbox.ask("POST", "/v1/pins", body)
    return str(answer["pinId"])


def message(sandbox: Served, text: str) -> None:
    """Send a message with a reference."""
    body = {"sms": [{**SMS, "recipient": PHONE, "custRef1": text}], "campaignName": "tea"}
    status, answer = send(sandbox, body)
    assert 200 == status, answer


def seed(folder: Path) -> None:
    """Make a store with the account of a sandbox, its channels and its template."""

    async def opened() -> None:
        async with watchword.open(
            f"sqlite:///{folder / 'watchword.db'}", data_dir=folder, sandbox=True
        ):
            pass

    asyncio.run(opened())


def create(run: Run, name: str) -> None:
    """Create a template."""
    made = run("templates", "create", "--account", "demo", "--name", name, "--channel", "email")
    assert 0 == made.exit_code, made.stderr


@pytest.fixture(scope="module")
def story(sandbox: Served) -> list[Noted]:
    """Do one thing after the other, and note after each how the lists stand, and at which event."""
    account = {"account": "demo"}
    body = {**account, "name": "Tea house", "channels": [{"channelType": "sms"}]}
    template = operated(sandbox, "POST", "/pin-templates", body)["id"]
    path = f"/pin-templates/{template}"
    pin(sandbox, OTHER)
    noted = [standing(sandbox, account)]
    first = pin(sandbox)
    noted.append(standing(sandbox, account))
    sandbox.ask("POST", f"/v1/pins/{first}/verify", {"pin": "0"})
    message(sandbox, "orchid")
    noted.append(standing(sandbox, account))
    operated(sandbox, "PATCH", path, {"name": "Coffee house"})
    pin(sandbox, OTHER, template)
    noted.append(standing(sandbox, account))
    operated(sandbox, "POST", f"{path}/disable")
    sandbox.ask("POST", f"/v1/pins/{first}/resend", {})
    message(sandbox, "fern")
    noted.append(standing(sandbox, account))
    operated(sandbox, "POST", f"{path}/archive")
    noted.append(standing(sandbox, account))
    return noted


@pytest.mark.parametrize("kind", ROUTES)
def test_a_list_at_a_position_is_the_list_of_that_day(
    beside: Run, story: list[Noted], kind: str
) -> None:
    """Row for row, in the same order, what the route showed when that event was the newest one."""
    for position, lists in story:
        rows = listed(beside, kind, "--account", "demo", "--position", str(position))
        assert lists[kind] == rows, position
    assert len({json.dumps(lists[kind]) for _, lists in story}) >= 3


def test_a_list_at_a_time_has_what_had_happened(beside: Run, story: list[Noted]) -> None:
    """A PIN that had not been sent is missing, and one that has expired since is not expired yet."""
    _, lists = story[3]
    second, first = lists["verifications"][:2]
    rows = listed(beside, "verifications", "--account", "demo", "--at", first["createdAt"])

    assert [first["pinId"]] == [
        each["pinId"] for each in rows if each["pinId"] in (first["pinId"], second["pinId"])
    ]
    assert "PENDING" == next(each for each in rows if each["pinId"] == first["pinId"])["status"]
    later = listed(beside, "verifications", "--account", "demo", "--at", "2099-01-01")
    assert "EXPIRED" == next(each for each in later if each["pinId"] == first["pinId"])["status"]


@pytest.mark.parametrize(
    ("kind", "query"),
    [
        ("verifications", {"destination": "0044 7700 900123"}),
        ("verifications", {"referenceId": "order-7"}),
        ("verifications", {"status": "EXPIRED"}),
        ("verifications", {"templateId": "tpl_demo", "channel": "sms"}),
        ("verifications", {"from": "2020-01-01T00:00:00Z", "to": "2099-01-01T00:00:00Z"}),
        ("messages", {"recipient": PHONE}),
        ("messages", {"reference": "fern"}),
        ("messages", {"channelType": "sms", "direction": "outbound"}),
        ("messages", {"channelName": "sandbox sms"}),
        ("messages", {"resourceType": "api"}),
        ("templates", {"search": "COFFEE", "includeArchived": "true"}),
        ("templates", {"status": "enabled"}),
    ],
)
def test_the_filters_are_those_of_the_list_of_today(
    sandbox: Served, beside: Run, story: list[Noted], kind: str, query: dict[str, str]
) -> None:
    """Each finds in the past what it finds today (C-37)."""
    options = [
        word
        for name, value in query.items()
        for word in (
            ["--archived"]
            if name == "includeArchived"
            else ["--" + re.sub("(?=[A-Z])", "-", name).lower(), value]
        )
    ]
    position = str(story[-1][0])
    rows = listed(beside, kind, "--account", "demo", "--position", position, *options)
    today = of_today(sandbox, kind, {"account": "demo", **query})

    assert today
    assert today == rows


def test_people_are_masked_on_request(beside: Run, story: list[Noted]) -> None:
    """Numbers, references and tags are clear unless masked (C-105)."""
    for kind in ("verifications", "messages"):
        at = ("audit", "list", kind, "--account", "demo", "--position", str(story[-1][0]), "--json")
        clear, masked = beside(*at).stdout, beside(*at, "--mask").stdout
        for personal in (PHONE, "order-7" if kind == "verifications" else "orchid"):
            assert personal in clear
            assert personal not in masked


def test_no_code_key_is_needed(sandbox: Served, tmp_path: Path, alone: Run) -> None:
    """What it would open reads ***, and a search for a person says that it needs the key (C-82)."""
    for name in ("watchword.db", "watchword.db-wal"):
        shutil.copy(sandbox.data_dir / name, tmp_path / name)
    at = ("audit", "list", "verifications", "--account", "demo", "--at", "2098-12-31")
    (row, *_) = json.loads(alone(*at, "--json").stdout)["data"]
    assert ("***", "***") == (row["destination"], row["referenceId"])
    refused = alone(*at, "--destination", PHONE)

    assert 1 == refused.exit_code
    assert "code key" in refused.stderr


def test_a_table_has_the_first_rows(beside: Run, story: list[Noted]) -> None:
    """They stand as in the list of today."""
    shown = beside("audit", "list", "templates", "--position", str(story[0][0]), "--limit", "1")

    assert 2 == len(shown.stdout.splitlines())
    assert "Tea house" in shown.stdout


@pytest.mark.parametrize(
    "moment", [[], ["--at", "2031-05-04", "--position", "3"], ["--position", "0"]]
)
def test_one_moment_is_named(beside: Run, moment: list[str]) -> None:
    """None, two and the moment before the first event are usage errors."""
    assert 2 == beside("audit", "list", "messages", *moment).exit_code


def test_a_position_beyond_the_log_is_said(beside: Run) -> None:
    """The list of a future would be the one of today."""
    refused = beside("audit", "list", "messages", "--position", "99999999")

    assert 1 == refused.exit_code
    assert "The log ends at position" in refused.stderr


def test_what_cannot_be_rebuilt_is_left_out_and_said(alone: Run, tmp_path: Path) -> None:
    """The exit status is 1, so that nobody takes the list for whole."""
    seed(tmp_path)
    for name in ("tea", "coffee"):
        create(alone, name)
    (_, broken, _) = json.loads(alone("templates", "list", "--json").stdout)
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as connection, connection:
        connection.execute(
            "UPDATE stored_events SET topic = 'TemplateSold/1' WHERE originator_id = ?",
            (broken["id"],),
        )
    shown = alone("audit", "list", "templates", "--at", "2098-12-31", "--json")

    assert 1 == shown.exit_code
    assert ["coffee", "demo"] == [each["name"] for each in json.loads(shown.stdout)["data"]]
    assert "1 of the templates cannot be rebuilt, and are left out." in shown.stderr


def test_a_head_is_a_position_whose_root_is_compared(alone: Run, tmp_path: Path) -> None:
    """The list of its size, unless the log is another one than that of the head."""
    seed(tmp_path)
    create(alone, "tea")

    async def cover() -> tuple[int, bytes]:
        store = await SqliteEventStore.open(tmp_path / "watchword.db")
        try:
            size = await store.sealed_log.extend(1_000)
            return size, root(size, await store.sealed_log.tiles(root_tiles(size)))
        finally:
            await store.close()

    size, wanted = asyncio.run(cover())
    create(alone, "coffee")
    file = tmp_path / "head.txt"
    at = ("audit", "list", "templates", "--head", str(file), "--json")
    for found, exit_code in ((wanted, 0), (bytes(32), 1)):
        text = f"shop/1\n{size}\n{base64.b64encode(found).decode()}\n"
        file.write_text(f"{text}\n— shop AAAAAA==\n")
        shown = alone(*at)
        assert exit_code == shown.exit_code, shown.stderr
        if exit_code == 0:
            assert ["tea", "demo"] == [each["name"] for each in json.loads(shown.stdout)["data"]]
        else:
            assert "is not the one of the head" in shown.stderr
    file.write_text("tea")
    assert "has no signed head of a log." in alone(*at).stderr
