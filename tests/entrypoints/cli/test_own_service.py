"""The private service of a command, on a store that no other process has open."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import UnixConnector

from tests.entrypoints.cli.conftest import Run
from watchword.entrypoints.cli.service.client import Client, RemoteRefusal
from watchword.entrypoints.cli.service.own_service import own_service
from watchword.entrypoints.settings import Settings


@pytest.fixture
def short_folder() -> Iterator[str]:
    """Yield a folder whose path leaves room for a socket's, which `tmp_path` need not do."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield folder


def folders(below: str) -> list[Path]:
    """Return the folders of private services."""
    return list(Path(below).glob("watchword-*"))


async def test_it_is_there_for_the_command_alone(
    tmp_path: Path, short_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is the user's own, its token is private, and nothing is left at the end."""
    monkeypatch.setattr(tempfile, "tempdir", short_folder)
    settings = Settings(store=None, data_dir=tmp_path)

    async with own_service(settings) as client:
        (folder,) = folders(short_folder)
        mine = await client.call("GET", "/accounts")
        async with Client("http://store", "guessed", UnixConnector(f"{folder}/socket")) as stranger:
            with pytest.raises(RemoteRefusal) as refused:
                await stranger.call("GET", "/accounts")

        assert 0o700 == stat.S_IMODE(folder.stat().st_mode)

    assert (0, "unauthorized") == (mine["total"], refused.value.code)
    assert [] == folders(short_folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_ended_leaves_nothing(
    number: signal.Signals, tmp_path: Path, short_folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal that ends it finds its folder removed, and says so by its exit code."""
    monkeypatch.setattr(tempfile, "tempdir", short_folder)

    async def command() -> None:
        async with own_service(Settings(store=None, data_dir=tmp_path)):
            assert 1 == len(folders(short_folder))
            signal.raise_signal(number)
            async with asyncio.timeout(10):
                await asyncio.Event().wait()

    # The parent of the tests may ignore one of them, as `nohup` does.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as ended:
            asyncio.run(command())
    finally:
        signal.signal(number, before)

    assert (128 + number, []) == (ended.value.code, folders(short_folder))


def test_what_is_unexpected_is_said_as_it_is(alone: Run, tmp_path: Path) -> None:
    """An event of another release is named, in place of an error of HTTP."""
    alone("accounts", "create", "shop")
    made = alone("keys", "create", "--account", "shop", "--name", "web", "--json")
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as store, store:
        store.execute(
            "UPDATE stored_events SET topic = 'ApiKeyCreated/99' WHERE topic LIKE 'ApiKey%'"
        )
    refused = alone("keys", "revoke", json.loads(made.stdout)["id"])

    assert (1, "") == (refused.exit_code, refused.stdout)
    assert "ApiKeyCreated/99" in refused.stderr


def test_temporary_files_may_be_far_away(
    alone: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that is too long for a socket stops no command."""
    far = tmp_path / ("x" * 100)
    far.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(far))

    made = alone("accounts", "create", "shop")

    assert (0, "") == (made.exit_code, made.stderr)
