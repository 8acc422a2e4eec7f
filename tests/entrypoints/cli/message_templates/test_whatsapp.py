"""`watchword whatsapp`: templates judged offline, and decided on."""

from __future__ import annotations

import asyncio
import http.client
import json
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner
from yarl import URL

import watchword as library
from tests.adapters.channels.whatsapp_cloud.graph_server import CONFIG
from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served
from tests.entrypoints.message_templates.creating_whatsapp import FULL, TEMPLATES, TEXT
from watchword.entrypoints.cli.__main__ import main

LANGUAGES = ("en", "pt_BR")


@pytest.fixture
def account(request: pytest.FixtureRequest, watchword: Run, tmp_path: Path) -> str:
    """Return the name of a new account with a template in two languages."""
    name = f"shop-{uuid4()}"
    assert 0 == watchword("accounts", "create", name).exit_code
    if "alone" in request.node.name:
        asyncio.run(_filled(tmp_path, name))
        return name
    sandbox: Served = request.getfixturevalue("sandbox")
    made = watchword("keys", "create", "--account", name, "--name", "till", "--json")
    for language in LANGUAGES:
        _posted(sandbox, json.loads(made.stdout)["key"], {**TEXT, "language": language})
    return name


async def _filled(folder: Path, account: str) -> None:
    store = f"sqlite:///{folder / 'watchword.db'}"
    async with library.open(store, data_dir=folder) as service:
        for language in LANGUAGES:
            template = {**TEXT, "language": language}
            await service.whatsapp_templates.create(account, **template)


def _posted(sandbox: Served, key: str, template: Any) -> str:
    url = URL(sandbox.url)
    connection = http.client.HTTPConnection(str(url.host), url.port, timeout=30)
    headers = {"apikey": key, "Content-Type": "application/json"}
    connection.request("POST", "/wa/templates", json.dumps(template), headers)
    with closing(connection), connection.getresponse() as answer:
        assert 201 == answer.status
        return str(json.loads(answer.read())["id"])


def test_a_template_is_approved_and_rejected(watchword: Run, account: str) -> None:
    """In one of its languages; the list names accounts."""
    meant = ("tea_sent", "--account", account, "--language", "en")
    approved = watchword("whatsapp", "approve", *meant)
    rejected = watchword("whatsapp", "reject", *meant, "--reason", "Shouts.", "--json")
    listed = watchword("whatsapp", "list", "--account", account).stdout.splitlines()
    shown = json.loads(watchword("whatsapp", "list", "--account", account, "--json").stdout)

    assert ["en", "UTILITY", "Approved"] == cells(approved.stdout.splitlines()[1])[2:]
    assert ("Rejected", "Shouts.") == tuple(
        json.loads(rejected.stdout)[name] for name in ("status", "rejected_reason")
    )
    assert ["name", "account", "language", "category", "status"] == cells(listed[0])
    assert [
        ["tea_sent", account, "en", "UTILITY", "Rejected"],
        ["tea_sent", account, "pt_BR", "UTILITY", "Pending"],
    ] == sorted(cells(line) for line in listed[1:])
    assert [TEXT["components"]] * 2 == [each["components"] for each in shown]


def test_what_is_refused_says_why(watchword: Run, account: str) -> None:
    """In a sentence, with the next step."""
    unclear = watchword("whatsapp", "approve", "tea_sent", "--account", account)
    unknown = watchword("whatsapp", "reject", "coffees", "--account", account)

    assert [1, 1] == [unclear.exit_code, unknown.exit_code]
    assert "language is required" in unclear.stderr
    assert "en, pt_BR" in unclear.stderr
    assert "Look it up in `watchword whatsapp list`." in unknown.stderr


def test_an_older_template_is_submitted(watchword: Run, account: str, tmp_path: Path) -> None:
    """By a channel account of a business account; without one, the refusal says what to do (C-99)."""
    meant = ("tea_sent", "--account", account, "--language", "en")
    without = watchword("whatsapp", "submit", *meant)
    file = tmp_path / "meta.json"
    # Nobody listens there: the template waits.
    file.write_text(json.dumps({**CONFIG, "baseUrl": "http://127.0.0.1:9"}))
    options = ("--account", account, "--type", "whatsapp", "--provider", "whatsapp_cloud")
    made = watchword("channel-accounts", "create", *options, "--name", "m", "--config", str(file))
    submitted = watchword("whatsapp", "submit", *meant, "--json")

    assert 1 == without.exit_code
    assert "Give one its business account, or approve the template yourself." in without.stderr
    assert 0 == made.exit_code, made.stderr
    assert "waiting" == json.loads(submitted.stdout)["submission"]["status"]


def test_a_template_is_judged(alone: Run, tmp_path: Path) -> None:
    """The violations of the HTTP answer, offline; exit status 1 if there are any."""
    file = tmp_path / "template.json"
    file.write_text(json.dumps(FULL))
    kept = alone("whatsapp", "lint", str(file))
    file.write_text(json.dumps({**FULL, "name": "New teas", "language": "pt-BR", "colour": 1}))
    broken = alone("whatsapp", "lint", str(file), "--json")
    piped = CliRunner().invoke(main, ("whatsapp", "lint", "-"), input="{")

    assert (0, "The template keeps every rule.\n") == (kept.exit_code, kept.stdout)
    assert 1 == broken.exit_code
    told = json.loads(broken.stdout)
    assert ["name", "language"] == [each["field"] for each in told["violations"]]
    assert ["colour"] == told["ignored"]
    assert 1 == piped.exit_code
    assert "is not valid JSON (line 1)" in piped.stdout


def test_a_replay_gives_the_same_lists(alone: Run, tmp_path: Path) -> None:
    """Reviewed templates are listed alike, and keep their names."""
    assert 0 == alone("accounts", "create", "shop").exit_code
    asyncio.run(_filled(tmp_path, "shop"))
    alone("whatsapp", "approve", "tea_sent", "--account", "shop", "--language", "en")
    checked = alone("audit", "check")

    assert (0, "") == (checked.exit_code, checked.stderr), checked.stdout


def test_every_kind_is_replayed(auditor: Run, connected: Run, sandbox: Served) -> None:
    """On the store and by the endpoint: all that its author gave is read again."""
    account = f"shop-{uuid4()}"
    connected("accounts", "create", account)
    made = connected("keys", "create", "--account", account, "--name", "till", "--json")
    for template in TEMPLATES.values():
        template_id = _posted(sandbox, json.loads(made.stdout)["key"], template)
        replay = auditor("audit", "replay", template_id)

        assert (0, "") == (replay.exit_code, replay.stderr)
        assert "WhatsappTemplateCreated" in replay.stdout
        assert template["category"] in replay.stdout
