"""`watchword rcs submit`, `approve`, `reject` and `list`, on a store and against a running service."""

from __future__ import annotations

import asyncio
import http.client
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from yarl import URL

import watchword as library
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served
from tests.entrypoints.message_templates.creating_rcs import AROUND, BOUNDARY, TEXT, form, texts

DRAFT = {**TEXT, "templateState": "Create"}
PROFILES = ("Orchid", "TeaHouse")


@pytest.fixture
def account(request: pytest.FixtureRequest, watchword: Run, tmp_path: Path) -> str:
    """Return the name of a new account with a draft under each of two sender profiles."""
    name = f"shop-{uuid4()}"
    assert 0 == watchword("accounts", "create", name).exit_code
    if "alone" in request.node.name:
        asyncio.run(_filled(tmp_path, name))
        return name
    sandbox: Served = request.getfixturevalue("sandbox")
    made = watchword("keys", "create", "--account", name, "--name", "till", "--json")
    for profile in PROFILES:
        _posted(sandbox, json.loads(made.stdout)["key"], profile)
    return name


async def _filled(folder: Path, account: str) -> None:
    store = f"sqlite:///{folder / 'watchword.db'}"
    async with library.open(store, data_dir=folder) as service:
        for profile in PROFILES:
            around = {**AROUND, "sender_profile_name": profile}
            await service.rcs_templates.create(account, data=DRAFT, **around)


def _posted(sandbox: Served, key: str, profile: str) -> None:
    url = URL(sandbox.url)
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=30)
    body = form(*texts(DRAFT, sender_profile_name=profile))
    connection.request("POST", "/rcs/templates", body, {"apikey": key, "Content-Type": kind})
    assert 200 == connection.getresponse().status
    connection.close()


def test_a_template_goes_its_way(watchword: Run, account: str) -> None:
    """It goes from a draft to an approved one, and back; the list names accounts."""
    meant = ("teas", "--account", account, "--sender-profile", "TeaHouse")
    submitted = watchword("rcs", "submit", *meant)
    approved = watchword("rcs", "approve", *meant, "--json")
    rejected = watchword("rcs", "reject", *meant, "--reason", "Shouts.", "--json")
    listed = watchword("rcs", "list", "--account", account).stdout.splitlines()
    shown = json.loads(watchword("rcs", "list", "--account", account, "--json").stdout)

    assert ["TeaHouse", "Text Message", "Promotional", "Submit", "Pending"] == cells(
        submitted.stdout.splitlines()[1]
    )[2:]
    assert "Approved" == json.loads(approved.stdout)["status"]
    assert ("Rejected", "Shouts.") == tuple(
        json.loads(rejected.stdout)[name] for name in ("status", "reason")
    )
    assert ["name", "account", "sender profile", "category"] == cells(listed[0])[:4]
    assert sorted(
        [
            ["teas", account, "Orchid", "Text Message", "Promotional", "Create", "Pending"],
            ["teas", account, "TeaHouse", "Text Message", "Promotional", "Submit", "Rejected"],
        ]
    ) == sorted(cells(line) for line in listed[1:])
    assert [TEXT["textMessageContent"]] * 2 == [each["textMessageContent"] for each in shown]


def test_what_is_refused_says_why(watchword: Run, account: str) -> None:
    """In a sentence, with the next step."""
    of_account = ("--account", account)
    unclear = watchword("rcs", "approve", "teas", *of_account)
    draft = watchword("rcs", "approve", "teas", *of_account, "--sender-profile", "Orchid")
    unknown = watchword("rcs", "reject", "coffees", *of_account)

    assert [1, 1, 1] == [each.exit_code for each in (unclear, draft, unknown)]
    assert "--sender-profile is required" in unclear.stderr
    assert "Orchid, TeaHouse" in unclear.stderr
    assert "Submit it first with `watchword rcs submit`." in draft.stderr
    assert "Look it up in `watchword rcs list`." in unknown.stderr


def test_the_audit_agrees(alone: Run, tmp_path: Path) -> None:
    """A replay has the same rows and held names; an approval behind the log's back is found."""
    assert 0 == alone("accounts", "create", "shop").exit_code
    asyncio.run(_filled(tmp_path, "shop"))
    meant = ("teas", "--account", "shop", "--sender-profile", "Orchid")
    alone("rcs", "submit", *meant)
    record = json.loads(alone("rcs", "approve", *meant, "--json").stdout)
    agreed = alone("audit", "check")
    replay = alone("audit", "replay", record["id"])
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as store, store:
        store.execute("UPDATE message_templates SET status = 'Approved'")
    differs = alone("audit", "check")

    assert 0 == agreed.exit_code, agreed.output
    assert all(
        f"RcsTemplate{word}" in replay.stdout for word in ("Created", "Submitted", "Approved")
    )
    assert 1 == differs.exit_code
    assert "message template row  rct_" in differs.output
