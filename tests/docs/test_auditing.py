"""The page for auditors: its program opens one event, with the key that an operator hands over."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import watchword
from tests.docs.guide_lines import blocks
from tests.fakes.providers import ScriptedProvider
from watchword.entrypoints.cli.__main__ import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "auditing.md").read_text()
NUMBER, REFERENCE = "+447700900123", "order-4711"
CALLBACK = "https://shop.example/watchword"


def ran(*words: str) -> Result:
    """Run a command, and return what came of it."""
    return CliRunner().invoke(main, words)


@pytest.fixture
def live(tmp_path: Path) -> Path:
    """Return the data directory of a store with two PINs of one person."""
    folder = tmp_path / "live"
    folder.mkdir(mode=0o700)

    async def seed() -> None:
        store = f"sqlite:///{folder / 'watchword.db'}"
        channels = {"line": ScriptedProvider()}
        async with watchword.open(store, data_dir=folder, channels=channels) as service:
            shop = await service.accounts.create("acme")
            await service.channel_accounts.create(shop, "sms", "line", "line")
            await service.callbacks.create(shop, CALLBACK)
            template = await service.pin_templates.create(shop, "login", [{"channel_type": "sms"}])
            for _ in range(2):
                await service.pins.issue(shop, template, NUMBER, reference_id=REFERENCE)

    asyncio.run(seed())
    return folder


@pytest.fixture
def pins(live: Path) -> list[str]:
    """Return the ids of the PINs."""
    listed = ran("pins", "list", "--json", "--data-dir", str(live))
    return [each["pinId"] for each in json.loads(listed.stdout)]


def opened(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program of the page beside a copy of the store."""
    program = copy.parent / "opened_event.py"
    program.write_text(blocks(PAGE, "python")[0])
    command = [sys.executable, "-I", str(program), str(copy), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_one_event_opens_without_the_code_key(live: Path, pins: list[str], tmp_path: Path) -> None:
    """The key of one event opens it, in a copy of the store, and no other event of the person."""
    printed = ran("audit", "disclose", pins[0], "1", "--json", "--data-dir", str(live))
    disclosed = json.loads(printed.stdout)
    copy = tmp_path / "copy.db"
    shutil.copy(live / "watchword.db", copy)
    line, sealed = opened(copy, pins[0], "1", disclosed["eventKey"]).stdout.splitlines()
    other = opened(copy, pins[1], "1", disclosed["eventKey"])

    assert {"destination": NUMBER, "reference_id": REFERENCE} == json.loads(sealed)
    assert (disclosed["eventId"], disclosed["owner"]) == (
        json.loads(line)["id"],
        json.loads(line)["person"],
    )
    assert NUMBER not in line
    assert NUMBER not in printed.stdout
    assert (1, "This is not the key of this event, or the event was changed.\n") == (
        other.returncode,
        other.stderr,
    )


def test_an_event_of_an_account_is_disclosed_too(live: Path) -> None:
    """The address of a callback is sealed under the account's key."""
    place = ("--data-dir", str(live))
    (endpoint,) = json.loads(ran("callbacks", "list", "--json", *place).stdout)
    table = dict(
        line.rsplit(maxsplit=1)
        for line in ran("audit", "disclose", endpoint["id"], "1", *place).stdout.splitlines()
    )
    shown = opened(live / "watchword.db", endpoint["id"], "1", table["event key"]).stdout

    assert endpoint["accountId"] == table["owner"]
    assert {"url": CALLBACK} == json.loads(shown.splitlines()[1])


def test_nothing_is_disclosed_of_erased_people(live: Path, pins: list[str]) -> None:
    """The command says that the key is gone."""
    ran("people", "erase", NUMBER, "--account", "acme", "--data-dir", str(live))
    said = ran("audit", "disclose", pins[0], "1", "--data-dir", str(live))

    assert 1 == said.exit_code
    assert "No key opens anything in this event" in said.stderr


def test_what_cannot_be_disclosed_is_said(live: Path, pins: list[str], tmp_path: Path) -> None:
    """Without the code key, with a version that is not there, and with an unknown id."""
    store = f"sqlite:///{live / 'watchword.db'}"
    keyless = ran(
        "audit", "disclose", pins[0], "1", "--store", store, "--data-dir", str(tmp_path / "empty")
    )
    later = ran("audit", "disclose", pins[0], "9", "--data-dir", str(live))
    unknown = ran("audit", "disclose", "pin_of_nobody", "1", "--data-dir", str(live))

    assert [1, 1, 1] == [each.exit_code for each in (keyless, later, unknown)]
    assert "needs the code key of the store" in keyless.stderr
    assert "version must be from 1 to 2 for this id" in later.stderr
    assert "Nothing is recorded under this id." in unknown.stderr
