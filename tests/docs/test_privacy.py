"""The page about personal data: its commands exist, and print what it shows."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner

import watchword
from tests.docs.guide_lines import blocks, table, typed
from tests.entrypoints.cli.test_help import command_of, commands
from tests.fakes.providers import ScriptedProvider
from watchword.application.data_requests.certificate import KEPT
from watchword.entrypoints.cli.__main__ import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "privacy.md").read_text()
FOR_AUDITORS = (ROOT / "docs" / "how-to" / "auditing.md").read_text()
NUMBER, REFERENCE = "+447700900123", "order-4711"
MOST_LINES = 230


@frozen
class Printed:
    """What the commands printed of a person, before and after the erasure; `readers` are the page's."""

    shown: str
    certificate: str
    history: str
    event: Mapping[str, Any]
    checked: str
    checked_without_key: str
    unseen: str
    noted: Mapping[str, Any]
    erasure: Mapping[str, Any]
    erased_person: str
    readers: Mapping[str, tuple[str, str]]


async def told(folder: Path) -> str:
    """Create a PIN for somebody; return its id."""
    store = f"sqlite:///{folder / 'watchword.db'}"
    channels = {"line": ScriptedProvider()}
    async with watchword.open(store, data_dir=folder, channels=channels) as service:
        account = (await service.accounts.create("acme")).id
        await service.channel_accounts.create(account, "sms", "line", "line")
        template = await service.pin_templates.create(account, "login", [{"channel_type": "sms"}])
        pin = await service.pins.issue(account, template, NUMBER, reference_id=REFERENCE)
        return pin.pin_id


def ran(*words: str) -> str:
    """Run a command with the number as its input, and return what it printed."""
    result = CliRunner().invoke(main, words, input=NUMBER)
    assert 0 == result.exit_code, result.output
    return result.stdout


def exported(*place: str) -> dict[str, Any]:
    """Return the only event `PinIssued` of an export."""
    event: dict[str, Any] = json.loads(ran("audit", "export", "--type", "PinIssued", *place))
    return event


def personal(event: Mapping[str, Any]) -> tuple[str, str]:
    """Return the personal members of a created PIN."""
    return event["data"]["destination"], event["data"]["referenceId"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """Run the pages' commands on a store with one person, who is erased halfway."""
    folder, empty = tmp_path_factory.mktemp("store"), tmp_path_factory.mktemp("empty")
    pin = asyncio.run(told(folder))
    place = ["--data-dir", str(folder)]
    keyless = ["--data-dir", str(empty), "--store", f"sqlite:///{folder / 'watchword.db'}"]
    shown = ran("people", "show", "--account", "acme", *place)
    readers = {
        "with the code key": personal(exported(*place)),
        "with the code key and --mask": personal(exported("--mask", *place)),
        "without the code key": personal(exported(*keyless)),
    }
    certificate = ran("people", "erase", "--account", "acme", *place)
    readers["anybody, after the erasure"] = personal(exported(*place))
    for each in (["--mask", *place], keyless):
        assert readers["anybody, after the erasure"] == personal(exported(*each))
    return Printed(
        shown,
        certificate.partition("\n\n")[0],
        ran("audit", "replay", pin, *place),
        exported(*place),
        ran("audit", "check", *place),
        ran("audit", "check", *keyless),
        CliRunner().invoke(main, ["audit", "check", *keyless]).stderr,
        noted := json.loads((folder / "erasures.jsonl").read_text()),
        json.loads(ran("audit", "export", "--after", "5", "--type", "PersonErased", *place)),
        ran("audit", "replay", noted["personId"], *place),
        readers,
    )


def unnamed(said: str) -> str:
    """Return a text without its ids and times."""
    without_ids = re.sub(r"\b([a-z]{3})_[0-9a-z]{5,32}\b", r"\1_", said)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", without_ids)


def shape(said: str) -> list[list[str]]:
    """Return the cells of the lines of an output, without ids and times."""
    return [re.split(r" {2,}", line) for line in unnamed(said).strip().splitlines()]


def test_the_page_shows_what_the_commands_print(printed: Printed) -> None:
    """The count of an access request, the certificate, and the history of an erased person."""
    shown, certificate, history, checked = blocks(PAGE, "text")

    assert shape(shown) == shape(printed.shown)
    assert shape(certificate) == shape(printed.certificate)
    assert shape(history) == shape(printed.history)
    assert checked == printed.checked == printed.checked_without_key
    for page in (PAGE, FOR_AUDITORS):
        (said,) = re.findall(r"`(What is sealed[^`]+)`", page)
        assert said in printed.unseen


def test_the_page_shows_what_is_exported_and_noted(printed: Printed) -> None:
    """An event of an erased person, and the line that repeats the erasure after a restore."""
    event, noted = (json.loads(unnamed(each)) for each in blocks(PAGE, "json"))

    assert event == json.loads(unnamed(json.dumps(printed.event)))
    assert noted == json.loads(unnamed(json.dumps(printed.noted)))


def test_each_reader_reads_what_the_page_says(printed: Printed) -> None:
    """With and without the code key, masked, and after the erasure."""
    rows = [[each.replace("`", "") for each in row] for row in table(PAGE, "reader")]

    assert {reader: tuple(members) for reader, *members in rows} == printed.readers


def test_the_page_says_all_that_is_kept() -> None:
    """One line for each entry of a certificate, in its order, with a word of each."""
    rows = table(PAGE, "what is kept")

    assert len(KEPT) == len(rows)
    for (what, _), kept in zip(rows, KEPT, strict=True):
        assert set(what.lower().replace(",", "").split()) & set(kept.what.lower().split())


def test_an_auditor_finds_an_erasure_by_its_certificate(printed: Printed) -> None:
    """With the commands of the page for auditors: the only event of the person, at its position."""
    facts = dict(re.findall(r"^(person id|position) +(\S+)$", printed.certificate, re.MULTILINE))
    shown = [each for each in typed(FOR_AUDITORS, "sh") if "PersonErased" in each]

    assert [["audit", "export", "--after", "5", "--type", "PersonErased"]] == shown
    assert ["6", facts["person id"]] == [
        str(printed.erasure["position"]),
        printed.erasure["streamId"],
    ]
    assert "6" == facts["position"]
    assert "PersonErased" in printed.erased_person


@pytest.mark.parametrize("words", typed(PAGE, "sh") + typed(FOR_AUDITORS, "sh"), ids=" ".join)
def test_commands_and_their_flags_exist(words: list[str]) -> None:
    """Every `watchword` that is shown names a command, and flags that it has."""
    known = set(commands())
    depth = next(depth for depth in (3, 2, 1) if tuple(words[:depth]) in known)
    command = command_of(*words[:depth])
    flags = {flag for each in command.params for flag in each.opts} | {"--help"}

    assert {word for word in words if word.startswith("--")} <= flags


def test_the_page_is_short() -> None:
    """A regulator's question is answered by reading it once."""
    assert len(PAGE.splitlines()) <= MOST_LINES
