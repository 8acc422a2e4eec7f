"""The list of erasures in a file, which a restore repeats (C-74)."""

from __future__ import annotations

import asyncio
import json
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from watchword.adapters.erasures_file import ErasuresFile, ErasuresUnreadable, read_erasures
from watchword.application.ports.erasures import ErasuresUnwritable

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


async def test_each_erasure_is_one_line(tmp_path: Path) -> None:
    """A line has the person's id and the time, and nobody else may read the file."""
    path = tmp_path / "erasures.jsonl"
    erasures = ErasuresFile(path)
    await erasures.note("per_anna", NOON)
    await erasures.note("per_bert", NOON)

    assert [
        {"personId": "per_anna", "at": "2031-05-04T12:00:00.000Z"},
        {"personId": "per_bert", "at": "2031-05-04T12:00:00.000Z"},
    ] == [json.loads(each) for each in path.read_text().splitlines()]
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert ["per_anna", "per_bert"] == list(read_erasures(path))


async def test_nodes_share_a_file(tmp_path: Path) -> None:
    """Lines that two nodes add at the same time stay whole."""
    path = tmp_path / "erasures.jsonl"
    nodes = [ErasuresFile(path), ErasuresFile(path)]
    people = [f"per_{number}" for number in range(40)]
    await asyncio.gather(
        *(nodes[number % 2].note(each, NOON) for number, each in enumerate(people))
    )

    assert set(people) == set(read_erasures(path))


async def test_a_line_after_one_that_was_cut_off_is_whole(tmp_path: Path) -> None:
    """A crash may leave part of a line; the next erasure begins a line of its own."""
    path = tmp_path / "erasures.jsonl"
    path.write_text('{"personId": "per_an')
    await ErasuresFile(path).note("per_anna", NOON)

    assert "per_anna" == json.loads(path.read_text().splitlines()[-1])["personId"]


@pytest.mark.parametrize(
    "line",
    ["no JSON", "[]", '{"at": 1}', '{"personId": "acc_demo"}', '{"personId": "per_' + "a" * 999],
)
def test_a_damaged_list_is_refused(tmp_path: Path, line: str) -> None:
    """A list must not pass as whole if a line of it names nobody; the text names the line."""
    path = tmp_path / "erasures.jsonl"
    path.write_text(f'{{"personId": "per_anna"}}\n{line}\n')

    with pytest.raises(ErasuresUnreadable, match="Line 2"):
        list(read_erasures(path))


def test_a_missing_list_is_refused(tmp_path: Path) -> None:
    """The text names the file."""
    with pytest.raises(ErasuresUnreadable, match=r"missing\.jsonl cannot be read"):
        list(read_erasures(tmp_path / "missing.jsonl"))


async def test_a_list_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """The erasure is not finished then, and is tried again."""
    (tmp_path / "file").touch()
    with pytest.raises(ErasuresUnwritable, match="cannot be written"):
        await ErasuresFile(tmp_path / "file" / "erasures.jsonl").note("per_anna", NOON)


async def test_a_line_that_the_disk_cuts_off_is_an_error(tmp_path: Path) -> None:
    """A disk that becomes full takes part of a line and says so by its length alone."""
    path = tmp_path / "erasures.jsonl"
    await ErasuresFile(path).note("per_anna", NOON)
    almost_full = path.stat().st_size + 10
    # A test of its own process: the limit stands for the end of the disk.
    limited = f"""
import asyncio, resource, signal
from datetime import UTC, datetime
from pathlib import Path
from watchword.adapters.erasures_file import ErasuresFile
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({almost_full}, {almost_full}))
asyncio.run(ErasuresFile(Path({str(path)!r})).note("per_bert", datetime.now(UTC)))
"""
    ended = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", limited], capture_output=True, check=False
    )
    await ErasuresFile(path).note("per_bert", NOON)

    assert b"ErasuresUnwritable" in ended.stderr
    with pytest.raises(ErasuresUnreadable, match="Line 2"):
        list(read_erasures(path))
    assert "per_bert" == json.loads(path.read_text().splitlines()[-1])["personId"]
