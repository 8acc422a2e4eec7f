"""Commands that only read: on a backup, beside a service, without the code key (C-91, D-152)."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.printed import cells
from tests.entrypoints.cli.processes import Served, until
from tests.entrypoints.cli.test_help import commands
from tests.entrypoints.cli.test_tables import Terminal
from watchword.adapters.keyring import Keyring
from watchword.domain.event import MASK
from watchword.entrypoints.cli.__main__ import main

LISTS = [path for path in commands() if path[-1] == "list"]
PHONE = "+919812345610"
# Members of listed records that name people, or that nobody may know of an account.
SEALED = {
    "destination",
    "recipient",
    "referenceId",
    "email",
    "url",
    "providerMessageId",
    "custRefs",
    "tags",
}


@pytest.fixture(scope="module")
def backup(sandbox: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a copy of the sandbox's database, alone in its folder, with a PIN and a message in it."""
    sandbox.ask("POST", "/sandbox/clock/advance", {"seconds": 86_400}, key=None)
    pin = {"destination": PHONE, "templateId": "tpl_demo", "referenceId": "order-7"}
    assert 201 == sandbox.ask("POST", "/v1/pins", pin)[0]
    sms = {"sender": "Watchword", "type": "SI", "recipient": "+447946090000", "messageBody": "Hi"}
    _, sent = sandbox.ask("POST", "/oapi/send_sms", {"sms": [sms]}, None, apikey="sandbox-key")
    until(lambda: is_dispatched(sandbox, sent["data"][0]["messageId"]))
    copy = tmp_path_factory.mktemp("backup") / "copy.db"
    with (
        closing(sqlite3.connect(sandbox.data_dir / "watchword.db")) as live,
        closing(sqlite3.connect(copy)) as kept,
    ):
        live.backup(kept)
    yield copy
    shutil.rmtree(copy.parent)


def is_dispatched(sandbox: Served, message_id: str) -> bool:
    """Return whether the outcome of a message is recorded; the answer does not wait for it."""
    _, listed = sandbox.ask("GET", "/messages?limit=100", None, None, apikey="sandbox-key")
    (found,) = [each for each in listed["data"] if each["messageId"] == message_id]
    return bool(found["status"] == "accepted")


def stored(shown: str) -> list[dict[str, Any]]:
    """Return listed records without their health, which each process knows of its own sends."""
    records = json.loads(shown)
    for each in records:
        each.pop("health", None)
    return records


def sealed(shown: Any, name: str = "") -> Any:
    """Return what a list shows as a reader without the code key sees it (C-31)."""
    match shown:
        # The wording of a template is about nobody.
        case _ if name == "components":
            return shown
        case dict() if shown and name in SEALED:
            return {MASK: MASK}
        case dict():
            return {name: sealed(value, name) for name, value in shown.items()}
        case list():
            return [sealed(each, name) for each in shown]
        case str() if name in SEALED:
            return MASK
        case _:
            return shown


@pytest.mark.parametrize("path", LISTS, ids=" ".join)
def test_a_backup_is_listed_without_a_code_key(
    path: tuple[str, ...], backup: Path, alone: Run, connected: Run, tmp_path: Path
) -> None:
    """A list of a copied file has the service's answer without what is sealed, and creates no key."""
    here = alone(*path, "--json", "--store", f"sqlite:///{backup}")
    there = connected(*path, "--json")

    assert (0, "") == (here.exit_code, here.stderr)
    assert sealed(stored(there.stdout)) == stored(here.stdout)
    assert [] == [*tmp_path.iterdir()]
    assert [] == [*backup.parent.glob("*key*")]


def test_a_store_is_listed_beside_its_service(beside: Run, connected: Run) -> None:
    """The service need not stop."""
    listed = beside("channel-accounts", "list", "--json")

    assert (0, "") == (listed.exit_code, listed.stderr)
    assert stored(connected("channel-accounts", "list", "--json").stdout) == stored(listed.stdout)


def test_what_changes_a_store_still_wants_its_key(alone: Run, backup: Path) -> None:
    """A new key would be the wrong one, so none is made."""
    refused = alone("accounts", "create", "tea", "--store", f"sqlite:///{backup}")

    assert 1 == refused.exit_code
    assert "There is no code key at " in refused.stderr
    assert [] == [*backup.parent.glob("*key*")]


def test_pins_are_found_by_what_the_search_takes(connected: Run, backup: Path) -> None:
    """Each option narrows the list as its filter of the search does; destinations are masked."""
    shown = connected("pins", "list", "--reference-id", "order-7", "--limit", "1").stdout
    pin = cells(shown.splitlines()[1])
    asked = ("pins", "list", "--json", "--limit", "1", "--account", "demo", "--channel", "sms")
    found = connected(
        *asked, "--destination", "0091 98123 45610", "--in-clear", "--from", "2026-01-01"
    )
    (whole,) = json.loads(found.stdout)
    nobody = connected("pins", "list", "--json", "--status", "BLOCKED", "--template-id", "tpl_no")

    assert whole["pinId"] in shown
    assert PHONE not in shown
    assert "+9198******10" in pin
    assert PHONE == whole["destination"]
    assert [] == json.loads(nobody.stdout)


def test_a_message_says_which_key_sent_it(connected: Run, backup: Path) -> None:
    """The table has the key's name, and JSON and CSV have its id too."""
    listed = connected("messages", "list", "--limit", "1").stdout
    (message,) = json.loads(connected("messages", "list", "--limit", "1", "--json").stdout)
    keys = json.loads(connected("keys", "list", "--account", "demo", "--json").stdout)
    exported = connected("messages", "export").stdout_bytes.decode().splitlines()

    assert "sandbox" in cells(listed.splitlines()[1])
    assert "sandbox" == message["apiKeyName"]
    assert message["actor"] in [each["id"] for each in keys if each["name"] == "sandbox"]
    assert "actor,apiKeyName" in exported[0]
    assert message["actor"] in exported[1]


@pytest.mark.parametrize("path", [*LISTS, ("callbacks", "deliveries")], ids=" ".join)
def test_lists_fit_80_columns(
    path: tuple[str, ...],
    backup: Path,
    connected: Run,
    sandbox: Served,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a terminal of that width no line is longer, and every id can be copied whole."""
    callback = {"url": f"https://shop.example/{'x' * 60}", "account": "demo"}
    _, made = sandbox.ask("POST", "/admin/v1/callbacks", callback, "sandbox-admin")
    sandbox.ask("POST", "/v1/pins", {"destination": PHONE, "templateId": "tpl_demo"})
    sandbox.ask("POST", "/sandbox/clock/advance", {"seconds": 1}, key=None)
    words = [*path, made["id"]] if path[-1] == "deliveries" else [*path]
    records = json.loads(connected(*words, "--json").stdout)
    for name, value in (
        ("COLUMNS", "80"),
        ("WATCHWORD_URL", sandbox.url),
        ("WATCHWORD_ADMIN_TOKEN", "sandbox-admin"),
    ):
        monkeypatch.setenv(name, value)
    with contextlib.redirect_stdout(Terminal()) as shown:
        main(words, standalone_mode=False)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue()).splitlines()

    assert all(cell_len(line) <= 80 for line in lines), lines
    # Commands take message templates by their names.
    called = ("name",) if path[0] in ("rcs", "whatsapp") else ("id", "pinId", "messageId")
    for record in records:
        first = next(each for each in called if each in record)
        assert any(record[first] in line for line in lines), (record, lines)


def test_what_is_personal_is_read_with_the_stores_own_key(
    backup: Path, alone: Run, sandbox: Served, tmp_path: Path
) -> None:
    """Without it an export reads `***`, and also with the key of another store (C-100)."""
    export = ("audit", "export", "--type", "PinIssued", "--store", f"sqlite:///{backup}")
    clear = alone(*export, WATCHWORD_CODE_KEY_FILE=str(sandbox.data_dir / "code.key"))
    without = alone(*export)
    Keyring.at(tmp_path / "code.key")
    strange = alone(*export)
    given = alone(*export, WATCHWORD_CODE_KEY=(tmp_path / "code.key").read_text())

    assert [0] * 4 == [each.exit_code for each in (clear, without, strange, given)]
    assert PHONE in clear.stdout
    assert PHONE not in without.stdout
    assert {"***"} == {
        json.loads(line)["data"]["destination"] for line in without.stdout.splitlines()
    }
    assert without.stdout == strange.stdout == given.stdout


def test_a_given_key_that_cannot_be_read_is_said(backup: Path, alone: Run) -> None:
    """Whoever names a key expects to read with it."""
    refused = alone(
        "audit", "export", "--store", f"sqlite:///{backup}", "--code-key-file", "/nowhere/code.key"
    )

    assert (1, "Error: There is no code key file at /nowhere/code.key.\n") == (
        refused.exit_code,
        refused.stderr,
    )


def test_nobody_is_found_by_number_without_the_code_key(backup: Path, alone: Run) -> None:
    """The refusal says what is missing."""
    search = ("pins", "list", "--account", "demo", "--destination", PHONE)
    refused = alone(*search, "--store", f"sqlite:///{backup}")

    assert 1 == refused.exit_code
    assert "cannot be looked up or sealed without the code key" in refused.stderr
