"""`watchword people`, on a store and against a running service (C-74)."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from uuid import uuid4

import pytest

import watchword as package
from tests.entrypoints.cli.conftest import Run
from tests.fakes.providers import ScriptedProvider

ANNA = "+919812345610"


@pytest.fixture
def store(tmp_path: Path) -> str:
    """Return the address of a store with one person who got a PIN."""
    url = f"sqlite:///{tmp_path / 'watchword.db'}"

    async def seed() -> None:
        phone = ScriptedProvider()
        async with package.open(url, data_dir=tmp_path, channels={"phone": phone}) as service:
            shop = await service.accounts.create("shop")
            sms = await service.channel_accounts.create(shop, "sms", "phone", "sms", sender="Shop")
            template = await service.pin_templates.create(
                shop, "sign-in", channels=[{"channel_type": "sms", "channel_account_id": sms.id}]
            )
            await service.pins.issue(shop, template, ANNA)

    asyncio.run(seed())
    return url


def test_a_person_is_erased_from_the_standard_input(store: str, alone: Run, tmp_path: Path) -> None:
    """The number is in no argument; the certificate is a table, and the erasure is listed in a file."""
    trial = alone("people", "erase", "--account", "shop", "--dry-run", given=f"{ANNA}\n")
    erased = alone("people", "erase", "--account", "shop", given=f"{ANNA}\n")
    again = alone("people", "erase", "--account", "shop", "--json", given=f"{ANNA}\n")

    assert [0, 0, 0] == [each.exit_code for each in (trial, erased, again)], erased.output
    assert "Nothing was erased: this was a dry run." in trial.stdout
    lines = [line.split() for line in erased.stdout.splitlines()]
    assert ["erased", "yes"] in lines
    assert ["pins", "1"] in lines
    assert ["finished", "yes"] in lines
    assert "what is kept" in erased.stdout
    assert not json.loads(again.stdout)["erased"]
    listed = tmp_path / "erasures.jsonl"
    assert 0o600 == stat.S_IMODE(listed.stat().st_mode)
    assert [f"{json.loads(listed.read_text())['personId']}"] == [
        line[2] for line in lines if line[:2] == ["person", "id"]
    ]


def test_the_list_of_erasures_may_be_elsewhere(store: str, alone: Run, tmp_path: Path) -> None:
    """Nodes that share a store share the file that --erasures names."""
    shared = tmp_path / "shared" / "list.jsonl"
    erased = alone("people", "erase", ANNA, "--account", "shop", "--erasures", str(shared))

    assert 0 == erased.exit_code, erased.output
    assert 1 == len(shared.read_text().splitlines())
    assert not (tmp_path / "erasures.jsonl").exists()


def test_a_stranger_is_no_failure(watchword: Run, account: str) -> None:
    """The exit code is 0, and the certificate says that nobody was erased."""
    number = f"+4477009{uuid4().int % 100_000:05}"
    unknown = watchword("people", "erase", number, "--account", account)
    strange_account = watchword("people", "erase", number, "--account", "nobody")

    assert 0 == unknown.exit_code, unknown.output
    assert "Nobody is known by this destination in this account." in unknown.stdout
    assert 1 == strange_account.exit_code
    assert "No account has this id or name." in strange_account.stderr


@pytest.mark.parametrize("given", ["", "\n"])
def test_nobody_at_all_is_a_slip(store: str, alone: Run, given: str) -> None:
    """An empty file or pipe is named, before anything is asked."""
    for command in ("erase", "show"):
        said = alone("people", command, "--account", "shop", given=given)

        assert 2 == said.exit_code
        assert "There is no number or e-mail address" in said.stderr


def test_one_person_is_asked_for_at_a_time(store: str, alone: Run) -> None:
    """Of two lines, the second would be left out without a word, so neither is taken (D-368)."""
    said = alone("people", "erase", "--account", "shop", given=f"{ANNA}\n+919812345611\n")
    padded = alone("people", "erase", "--account", "shop", "--dry-run", given=f"\n {ANNA}\r\n\n")

    assert 2 == said.exit_code
    assert "The standard input has several lines." in said.stderr
    assert 0 == padded.exit_code
    assert ["pins", "1"] in [line.split() for line in padded.stdout.splitlines()]


def test_lists_of_erased_people_read_erased(store: str, alone: Run) -> None:
    """Also where lists mask numbers, which without --in-clear is everywhere."""
    alone("people", "erase", ANNA, "--account", "shop")
    (listed,) = json.loads(alone("pins", "list", "--json").stdout)

    assert "(erased)" == listed["destination"]


def test_an_unfinished_erasure_fails_the_command(store: str, alone: Run, tmp_path: Path) -> None:
    """While the list cannot be written, the exit code is 1, and the command says why to repeat it."""
    (tmp_path / "erasures.jsonl").mkdir()
    unfinished = alone("people", "erase", ANNA, "--account", "shop")

    assert 1 == unfinished.exit_code
    assert "The erasure is not finished." in unfinished.stdout


def test_what_is_stored_is_counted_printed_and_written(
    store: str, alone: Run, tmp_path: Path
) -> None:
    """A table counts it, --json prints it, and --html writes a page that its owner alone can read."""
    page = tmp_path / "answer.html"
    told = alone("people", "show", "--account", "shop", given=f"{ANNA}\n")
    printed = alone("people", "show", ANNA, "--account", "shop", "--json")
    written = alone("people", "show", ANNA, "--account", "shop", "--html", str(page))

    assert [0, 0, 0] == [each.exit_code for each in (told, printed, written)], written.output
    assert ["pins", "1"] in [line.split() for line in told.stdout.splitlines()]
    assert ANNA not in told.stdout
    assert ANNA == json.loads(printed.stdout)["pins"][0]["destination"]
    assert "" == written.stdout
    assert ANNA in page.read_text()
    assert 0o600 == stat.S_IMODE(page.stat().st_mode)


def test_nothing_is_shown_of_a_stranger(watchword: Run, account: str) -> None:
    """The command fails with a sentence, and writes no page."""
    unknown = watchword("people", "show", "+447700900999", "--account", account)

    assert 1 == unknown.exit_code
    assert "Nothing is stored of this destination" in unknown.stderr
