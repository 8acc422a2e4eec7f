"""Files in a folder: whole and durable when they are kept, gone when they are not (C-25)."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import resource
import stat
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from watchword.adapters.media_files import FolderMediaFiles
from watchword.application.ports.media_files import MediaFileMissing, MediaFilesUnavailable

ONE, TWO = f"med_{'1' * 32}", f"med_{'2' * 32}"
HOUR = timedelta(hours=1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Name a folder that is not there yet."""
    return tmp_path / "data" / "media"


@pytest.fixture
async def files(folder: Path) -> AsyncIterator[FolderMediaFiles]:
    """Yield the files in it."""
    kept = FolderMediaFiles(folder)
    yield kept
    await kept.close()


def names(folder: Path) -> list[str]:
    """Name all that is under a folder."""
    return sorted(str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def open_files() -> int:
    """Count the open files of this process."""
    return len([*Path("/proc/self/fd").iterdir()])


def age(folder: Path) -> None:
    """Let two hours go by."""
    before = time.time() - 7_200
    for each in folder.rglob("med_*"):
        os.utime(each, (before, before), follow_symlinks=False)


async def content(files: FolderMediaFiles, media_id: str) -> bytes:
    """Read a file, in two pieces."""
    file = await files.open(media_id)
    try:
        return await file.read(0, 3) + await file.read(3, file.size)
    finally:
        await file.close()


async def test_a_file_is_kept_and_confirmed(files: FolderMediaFiles, folder: Path) -> None:
    """It has the written bytes in order, and is readable by its owner alone."""
    pieces = [b"", b"tea", b"x" * 300_000, b"\0"]
    file = files.receive(ONE)
    for piece in pieces:
        await file.write(piece)
    digest = await file.keep()

    assert [ONE, f"incoming/{ONE}"] == sorted(names(folder), key=len)
    await file.confirm()

    assert hashlib.sha256(b"".join(pieces)).hexdigest() == digest
    assert b"".join(pieces) == await content(files, ONE)
    assert [ONE] == names(folder)
    assert [0o600, 0o700] == [stat.S_IMODE(each.lstat().st_mode) for each in (folder / ONE, folder)]


async def test_an_empty_file_is_a_file(files: FolderMediaFiles) -> None:
    """Nothing was written, and nothing is read."""
    file = files.receive(ONE)
    await file.keep()
    await file.confirm()

    assert b"" == await content(files, ONE)


@pytest.mark.parametrize("kept", [False, True])
async def test_what_is_discarded_leaves_nothing(
    files: FolderMediaFiles, folder: Path, kept: bool
) -> None:
    """Kept already or not, and once or twice."""
    file = files.receive(ONE)
    await file.write(b"x" * 300_000)
    if kept:
        await file.keep()
    await file.discard()
    await file.discard()

    assert [] == names(folder)
    with pytest.raises(MediaFileMissing):
        await files.open(ONE)


async def test_a_file_without_bytes_leaves_no_folder(files: FolderMediaFiles, folder: Path) -> None:
    """A file that is discarded before its first byte leaves nothing."""
    await files.receive(ONE).discard()

    assert [] == list(folder.parent.parent.glob("*"))


async def test_a_cancelled_write_leaves_nothing(files: FolderMediaFiles, folder: Path) -> None:
    """The thread ends its write; then the file is removed."""
    file = files.receive(ONE)
    writing = asyncio.create_task(file.write(b"x" * 2**24))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await file.discard()

    assert [] == names(folder)


@pytest.mark.parametrize("kept", [False, True])
async def test_what_a_crash_leaves_is_found(folder: Path, kept: bool) -> None:
    """Another process finds it an hour later, when no process holds it."""
    crashed, files = FolderMediaFiles(folder), FolderMediaFiles(folder)
    file = crashed.receive(ONE)
    await file.write(b"x" * 300_000)
    if kept:
        await file.keep()
    assert [] == await files.left_over(HOUR)
    age(folder)
    # The process that holds it lives, and may be slow.
    assert [] == await files.left_over(HOUR)
    await file.leave()

    assert [ONE] == await files.left_over(HOUR)
    await files.discard(ONE)
    assert [] == names(folder) == await files.left_over(HOUR)
    await crashed.close()
    await files.close()


async def test_what_was_left_can_stay(files: FolderMediaFiles, folder: Path) -> None:
    """If the log names it, only its second name is removed."""
    file = files.receive(ONE)
    await file.write(b"tea")
    await file.keep()
    await file.leave()
    age(folder)
    await files.confirm(ONE)

    assert [] == await files.left_over(HOUR)
    assert b"tea" == await content(files, ONE)


async def test_a_stranger_in_the_folder_is_left_alone(
    files: FolderMediaFiles, folder: Path
) -> None:
    """No link is followed, no pipe waited at, and nothing of another name touched."""
    incoming = folder / "incoming"
    incoming.mkdir(parents=True)
    secret = folder.parent / "secret"
    secret.write_text("tea")
    (incoming / "notes.txt").write_text("mine")
    (incoming / ONE).symlink_to(secret)
    (folder / ONE).symlink_to(secret)
    os.mkfifo(incoming / TWO)
    os.mkfifo(folder / TWO)
    age(folder)

    for each in (ONE, TWO):
        with pytest.raises(MediaFileMissing):
            await files.open(each)
    with pytest.raises(MediaFilesUnavailable):
        await files.receive(ONE).keep()
    assert ONE not in await files.left_over(HOUR)
    assert "tea" == secret.read_text()
    assert "mine" == (incoming / "notes.txt").read_text()


@pytest.mark.parametrize(
    "media_id", ["", ".", "../secret", "/etc/passwd", f"{ONE}/", f"{ONE}\0", "MED_" + "1" * 32, "é"]
)
async def test_no_name_but_an_id_is_a_file(files: FolderMediaFiles, media_id: str) -> None:
    """No other name is looked up."""
    with pytest.raises(MediaFileMissing):
        files.receive(media_id)
    with pytest.raises(MediaFileMissing):
        await files.open(media_id)


@contextmanager
def no_room() -> Iterator[None]:
    """Let no file of this process grow beyond a MiB, as on a disk without room."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_is_told_and_leaves_nothing(
    files: FolderMediaFiles, folder: Path
) -> None:
    """The refusal is that there is no room now."""
    file = files.receive(ONE)
    with no_room(), pytest.raises(MediaFilesUnavailable):
        await file.write(b"x" * 2**21)
    await file.discard()

    assert [] == names(folder)


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Something else is there."""
    (tmp_path / "media").write_text("no folder")
    files = FolderMediaFiles(tmp_path / "media")
    file = files.receive(ONE)
    with pytest.raises(MediaFilesUnavailable):
        await file.keep()
    await file.discard()
    await files.close()


async def test_a_lock_says_who_is_at_a_file(files: FolderMediaFiles, folder: Path) -> None:
    """The lock holds until the file is confirmed."""
    file = files.receive(ONE)
    await file.write(b"x" * 300_000)
    await file.keep()
    with (folder / ONE).open("rb") as other:
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        await file.confirm()
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


async def test_the_event_loop_waits_for_no_disk(files: FolderMediaFiles) -> None:
    """It goes on while a file is written, however much arrives at once."""
    turns = 0

    async def turning() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    beside = asyncio.create_task(turning())
    file = files.receive(ONE)
    await file.write(b"x" * 2**25)
    await file.keep()
    beside.cancel()
    await file.discard()

    assert turns > 10


async def test_who_gives_up_opening_leaves_nothing_open(folder: Path) -> None:
    """The thread finishes opening, and closes the file."""
    files = FolderMediaFiles(folder)
    file = files.receive(ONE)
    await file.write(b"tea")
    await file.keep()
    await file.confirm()
    before = open_files()
    for _ in range(20):
        opening = asyncio.create_task(files.open(ONE))
        await asyncio.sleep(0)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
    await files.close()
    await asyncio.sleep(0)

    assert before == open_files()
