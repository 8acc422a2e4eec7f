"""The page about personal data: its commands exist, and print what it shows."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import watchword
from tests.docs.guide_lines import blocks, table, typed
from tests.entrypoints.cli.test_help import command_of, commands
from tests.fakes.providers import ScriptedProvider
from watchword.application.data_requests.certificate import KEPT
from watchword.entrypoints.cli.__main__ import main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "privacy.md").read_text()
NUMBER = "+447700900123"
MOST_LINES = 170


async def told(folder: Path) -> str:
    """Create a PIN for somebody; return its id."""
    store = f"sqlite:///{folder / 'watchword.db'}"
    channels = {"line": ScriptedProvider()}
    async with watchword.open(store, data_dir=folder, channels=channels) as service:
        account = (await service.accounts.create("acme")).id
        await service.channel_accounts.create(account, "sms", "line", "line")
        template = await service.pin_templates.create(account, "login", [{"channel_type": "sms"}])
        pin = await service.pins.issue(account, template, NUMBER, reference_id="order-4711")
        return pin.pin_id


def shape(said: str) -> list[list[str]]:
    """Return the cells of the lines of an output, without ids and times."""
    without_ids = re.sub(r"\b([a-z]{3})_[0-9a-f]{6,32}\b", r"\1_", said)
    without_times = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", without_ids)
    return [re.split(r" {2,}", line) for line in without_times.strip().splitlines()]


def test_an_erasure_prints_what_the_page_shows(tmp_path: Path) -> None:
    """The certificate, and the state of an erased person's PIN."""
    pin = asyncio.run(told(tmp_path))
    place = ["--data-dir", str(tmp_path)]
    words = ["people", "erase", "--account", "acme", *place]
    certificate = CliRunner().invoke(main, words, input=NUMBER)
    history = CliRunner().invoke(main, ["audit", "replay", pin, *place])
    shown, state = blocks(PAGE, "text")

    assert (0, 0) == (certificate.exit_code, history.exit_code)
    assert shape(shown) == shape(certificate.stdout.partition("\n\n")[0])
    assert shape(state) == shape(history.stdout[history.stdout.index("field  ") :])


def test_the_page_says_all_that_is_kept() -> None:
    """One line for each entry of a certificate, in its order, with a word of each."""
    rows = table(PAGE, "what is kept")

    assert len(KEPT) == len(rows)
    for (what, _), kept in zip(rows, KEPT, strict=True):
        assert set(what.lower().replace(",", "").split()) & set(kept.what.lower().split())


@pytest.mark.parametrize("words", typed(PAGE, "sh"), ids=" ".join)
def test_commands_and_their_flags_exist(words: list[str]) -> None:
    """Every `watchword` that is shown names a command, and flags that it has."""
    depth = 2 if tuple(words[:2]) in commands() else 1
    command = command_of(*words[:depth])
    flags = {flag for each in command.params for flag in each.opts} | {"--help"}

    assert {word for word in words if word.startswith("--")} <= flags


def test_the_page_is_short() -> None:
    """A regulator's question is answered by reading it once."""
    assert len(PAGE.splitlines()) <= MOST_LINES
