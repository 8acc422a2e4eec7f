"""The high-water mark of a log: raised as it grows, found by an audit of a log that is shorter (D-158)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from tests.contracts.event_store.histories import FERN, ORCHID, grown, step
from watchword.adapters.event_store.log.mark_file import MarkFile, mark_of, mark_of_database
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.audit.marking_log import MarkingLog
from watchword.application.journal import Journal
from watchword.application.ports.log_mark import MarkUnreadable


async def test_the_mark_follows_a_log_that_grows(tmp_path: Path) -> None:
    """Every look raises it to the number of events, and asks for nothing more to be done."""
    store, mark = MemoryEventStore(), MarkFile(tmp_path / "tea.mark")
    marking = MarkingLog(mark, store.newest)

    assert (0, 0) == (await marking.run_due(), await mark.read())
    await store.append(step(grown(ORCHID, by=2), grown(FERN)))
    assert (0, 3) == (await marking.run_due(), await mark.read())


async def test_a_mark_never_goes_back_by_itself(tmp_path: Path) -> None:
    """A service on a log that is shorter leaves the mark; only a restore puts it back."""
    mark = MarkFile(tmp_path / "tea.mark")
    await mark.raise_to(9)
    await MarkingLog(mark, MemoryEventStore().newest).end()

    assert 9 == await mark.read()
    await mark.reset(4)
    assert 4 == await mark.read()


async def test_a_log_that_was_longer_is_a_difference(tmp_path: Path) -> None:
    """It names the former and the present length; an unreadable mark is a difference, too."""
    mark = MarkFile(tmp_path / "tea.mark")
    checking = Checking(Journal(MemoryEventStore()), AuditInputs(mark=mark))

    assert () == (await checking.check()).differences
    await mark.raise_to(9)
    (shorter,) = (await checking.check()).differences
    (tmp_path / "tea.mark").write_text("nine")
    (unreadable,) = (await checking.check()).differences

    assert ("mark", "events", "at least 9", "0") == (
        str(shorter.kind),
        shorter.field,
        shorter.expected,
        shorter.found,
    )
    assert ("mark", "mark") == (str(unreadable.kind), unreadable.field)


@pytest.mark.parametrize(
    "text", ['{"events": Infinity}', "[" * 900, "[" * 100_000, '{"events": true}', '{"events": -1}']
)
async def test_a_hostile_mark_is_unreadable(text: str, tmp_path: Path) -> None:
    """A file in the mark's place is read up to a bound, and is no number of events."""
    (tmp_path / "tea.mark").write_text(text)

    with pytest.raises(MarkUnreadable):
        await MarkFile(tmp_path / "tea.mark").read()


@pytest.mark.parametrize("whole", ["pipe", "device"])
async def test_a_mark_that_never_ends_holds_nobody_up(whole: str, tmp_path: Path) -> None:
    """A pipe without a writer, and an endless device, are no marks."""
    path = tmp_path / "tea.mark"
    if whole == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")

    with pytest.raises(MarkUnreadable):
        await asyncio.wait_for(MarkFile(path).read(), timeout=5)


async def test_a_mark_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """Without the folder, or with another file in the mark's place, a service goes on."""
    nowhere = MarkFile(tmp_path / "gone" / "tea.mark")
    await nowhere.raise_to(9)
    (tmp_path / "tea.mark").write_text("nine")
    await MarkFile(tmp_path / "tea.mark").raise_to(9)

    assert 0 == await nowhere.read()
    assert "nine" == (tmp_path / "tea.mark").read_text()


def test_each_store_has_a_mark_of_its_own() -> None:
    """A file's mark has its name; a database's has its address, in any form of the URL."""
    folder = Path("/data")

    def of(url: str) -> Path:
        return mark_of_database(folder, url)

    assert Path("/data/tea.db.mark") == mark_of(Path("/data/tea.db"))
    assert of("postgresql://ada:secret@db:5432/tea") == of(
        "postgresql://bob@db:5432/tea?sslmode=require"
    )
    assert of("postgresql://db/tea") != of("postgresql://db/coffee")
