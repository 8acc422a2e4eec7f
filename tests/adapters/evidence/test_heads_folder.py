"""Heads outside the database: the newest, one a day, and copies that may be out of reach."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from watchword.adapters.evidence.heads_folder import HeadsFolder, HeadsFolders
from watchword.application.ports.kept_heads import HeadsNotKept, HeadsUnreadable

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


async def test_the_newest_head_and_one_a_day_are_kept(tmp_path: Path) -> None:
    """The folder has the newest head, and the last one of each day."""
    folder = HeadsFolder(tmp_path / "heads")
    assert await folder.latest() is None

    for number, at in enumerate([NOON, NOON + timedelta(hours=1), NOON + timedelta(days=1)]):
        await folder.keep(f"head {number}\n", at)

    assert await folder.latest() == "head 2\n"
    kept = {each.name: each.read_text() for each in (tmp_path / "heads").iterdir()}
    assert {"latest": "head 2\n", "2031-05-04": "head 1\n", "2031-05-05": "head 2\n"} == kept


@pytest.mark.parametrize("name", [".latest.new", ".2031-05-04.new", "latest", "2031-05-04"])
async def test_a_link_in_the_folder_leads_nowhere(tmp_path: Path, name: str) -> None:
    """Whoever can write a copy elsewhere cannot have another file of the service overwritten."""
    (tmp_path / "copy").mkdir()
    (tmp_path / "log.key").write_text("secret")
    (tmp_path / "copy" / name).symlink_to(tmp_path / "log.key")
    folder = HeadsFolder(tmp_path / "copy")
    await folder.keep("head 1\n", NOON)

    assert "secret" == (tmp_path / "log.key").read_text()
    assert {"latest": "head 1\n", "2031-05-04": "head 1\n"} == {
        each.name: each.read_text() for each in folder.path.iterdir() if not each.is_symlink()
    }


async def test_a_pipe_in_the_place_of_a_draft_holds_up_nothing(tmp_path: Path) -> None:
    """It is replaced, and nobody waits for its reader."""
    folder = HeadsFolder(tmp_path)
    os.mkfifo(tmp_path / ".latest.new")
    await folder.keep("head 1\n", NOON)

    assert "head 1\n" == await folder.latest()


async def test_copies_get_every_head(tmp_path: Path) -> None:
    """Another folder, such as one on another machine, gets the same files, and is read as well."""
    home, copy = HeadsFolder(tmp_path / "home"), HeadsFolder(tmp_path / "copy")
    folders = HeadsFolders(home, [copy])
    await folders.keep("head 1\n", NOON)
    await copy.keep("head 2\n", NOON)

    assert ["head 1\n", "head 2\n"] == await folders.latest()


async def test_a_copy_out_of_reach_stops_nothing(tmp_path: Path) -> None:
    """A copy that takes no head is left out, as long as the folder at home takes it."""
    broken = tmp_path / "broken"
    broken.write_text("a file where the folder should be")
    folders = HeadsFolders(HeadsFolder(tmp_path / "home"), [HeadsFolder(broken)])
    await folders.keep("head 1\n", NOON)

    assert ["head 1\n"] == await folders.latest()


async def test_without_the_folder_at_home_nothing_is_kept_or_read(tmp_path: Path) -> None:
    """The folder at home must work: without it, a store that went back would not be noticed."""
    broken = tmp_path / "broken"
    broken.write_text("a file where the folder should be")
    folders = HeadsFolders(HeadsFolder(broken))

    with pytest.raises(HeadsNotKept):
        await folders.keep("head 1\n", NOON)
    with pytest.raises(HeadsUnreadable):
        await folders.latest()


async def test_a_pipe_in_the_place_of_the_newest_head_holds_up_nothing(tmp_path: Path) -> None:
    """A path that became something endless is unreadable, at once."""
    os.mkfifo(tmp_path / "latest")

    with pytest.raises(HeadsUnreadable):
        await HeadsFolders(HeadsFolder(tmp_path)).latest()
