"""Files with a secret: who else can read or replace them (D-139)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from watchword.adapters.private_files import (
    NotPrivateError,
    check_folder,
    make_private,
    read_private,
)

STRANGER = 54_321
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file to somebody else")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file that only its owner can read, in a folder that only its owner can write."""
    folder = tmp_path / "own"
    folder.mkdir(mode=0o700)
    made = folder / "secret"
    made.touch(mode=0o600)
    made.write_text("tea")
    return made


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_what_its_owner_alone_reads_is_read(file: Path, mode: int) -> None:
    """No other user has any right to it."""
    file.chmod(mode)

    assert "tea" == read_private(file)


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o620, 0o644, 0o666])
def test_what_others_read_or_write_is_refused(file: Path, mode: int) -> None:
    """A reader has the secret, and a writer can replace it, whoever owns the file."""
    file.chmod(mode)
    with pytest.raises(NotPrivateError, match=f"Others may read or change {file}.*chmod 600"):
        read_private(file)


@as_root
def test_a_group_reads_what_root_owns_alone(file: Path) -> None:
    """A container platform passes secrets this way to a user that is not root."""
    file.chmod(0o440)

    assert "tea" == read_private(file)

    file.parent.chmod(0o755)
    os.chown(file.parent, STRANGER, -1)
    os.chown(file, STRANGER, -1)
    with pytest.raises(NotPrivateError, match="chmod 600"):
        read_private(file)


@as_root
def test_a_strangers_file_is_refused(file: Path) -> None:
    """Its owner could change it; root may read the file of a service's user in that user's folder."""
    os.chown(file, STRANGER, -1)
    with pytest.raises(NotPrivateError, match=rf"another user \(uid {STRANGER}\).*chown 0 {file}"):
        read_private(file)
    os.chown(file.parent, STRANGER, -1)

    assert "tea" == read_private(file)


@pytest.mark.parametrize("place", ["of the link", "of the file"])
def test_a_folder_where_others_replace_files_is_refused(
    file: Path, tmp_path: Path, place: str
) -> None:
    """If others can write it without a sticky bit, they can replace a link or its target."""
    links = tmp_path / "links"
    links.mkdir()
    link = links / "secret"
    link.symlink_to(file)
    folder = links if place == "of the link" else file.parent
    folder.chmod(0o777)
    with pytest.raises(NotPrivateError, match=f"in the place of {link}.*chmod go-w {folder}"):
        read_private(link)
    folder.chmod(0o1777)

    assert "tea" == read_private(link)


def test_a_pipe_is_read(tmp_path: Path) -> None:
    """A shell's `<(...)` is accepted."""
    reading, writing = os.pipe()
    os.write(writing, b"tea")
    os.close(writing)
    try:
        assert "tea" == read_private(Path(f"/dev/fd/{reading}"))
    finally:
        os.close(reading)


def test_a_folder_that_is_not_there_is_fine(tmp_path: Path) -> None:
    """The process that creates it decides who may write it."""
    check_folder(tmp_path / "none", "the data directory")


def test_a_secret_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """Its folder is made with it, no draft stays behind, and nobody else can read it."""
    path = tmp_path / "data" / "secret"

    make_private(path, "tea")

    assert "tea" == read_private(path)
    assert 0o600 == path.stat().st_mode & 0o777
    assert [path] == list(path.parent.iterdir())


def test_a_secret_that_is_there_stays(file: Path) -> None:
    """Of two processes that make one at once, the second takes the secret of the first."""
    make_private(file, "coffee")

    assert "tea" == read_private(file)
    assert [file] == list(file.parent.iterdir())
