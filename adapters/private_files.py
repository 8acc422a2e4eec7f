"""Files that hold a secret, and the folders that they lie in: who but their owner can read or change them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from shlex import quote

_ROOT = 0


class NotPrivateError(Exception):
    """Others can read a secret, or put something else in its place; the text says how to mend that."""


def read_private(path: Path) -> str:
    """
    Read a file that holds a secret.

    Where the path is a symbolic link, the file that it leads to is judged: container platforms hand
    secrets out as links. Its owner is this user or root, and nobody else reads it. A group may read
    what root owns, for platforms hand it out so to a user that is not root (D-139). The folders of
    both have to be such that nobody else can put another file in its place.

    Raises `NotPrivateError`, and `OSError` for a file that cannot be read.
    """
    with path.open() as file:
        found = os.fstat(file.fileno())
        target = path.resolve()
        for folder in sorted({path.absolute().parent, target.parent}):
            _check_folder_of(path, folder)
        _check_owner(target, found)
        _check_readers(path, target, found)
        return file.read()


def check_folder(folder: Path, purpose: str) -> None:
    """
    Check that nobody else may write a folder; one that is not there yet is fine.

    A sticky bit changes nothing: with it others still add files, and a database takes what lies
    beside it for its own. Raises `NotPrivateError`; `purpose` names the folder in its text.
    """
    if folder.is_dir() and _others_write(folder.stat()):
        raise NotPrivateError(
            f"Others may write {purpose}, {folder}, and so change what is kept there."
            f" Run: chmod go-w {quote(str(folder))}"
        )


def _others_write(found: os.stat_result) -> bool:
    return bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _check_folder_of(path: Path, folder: Path) -> None:
    if not folder.is_dir():
        # What is no file, as a pipe, lies in none.
        return
    found = folder.stat()
    # Whoever may write a sticky folder replaces no file of somebody else's there.
    if _others_write(found) and not found.st_mode & stat.S_ISVTX:
        raise NotPrivateError(
            f"Others may put another file in the place of {path}, as they may write {folder}."
            f" Run: chmod go-w {quote(str(folder))}"
        )


def _check_owner(target: Path, found: os.stat_result) -> None:
    trusted = {os.geteuid(), _ROOT}
    if os.geteuid() == _ROOT:
        # An operator who is root works on what a service's own user keeps in that user's folder.
        trusted.add(target.parent.stat().st_uid)
    if found.st_uid not in trusted:
        raise NotPrivateError(
            f"{target} belongs to another user (uid {found.st_uid}), who can change it."
            f" Run: chown {os.geteuid()} {quote(str(target))}"
        )


def _check_readers(path: Path, target: Path, found: os.stat_result) -> None:
    allowed = stat.S_IRGRP if found.st_uid == _ROOT else 0
    if not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO) & ~allowed:
        return
    through = "" if path.absolute() == target else f", which {path} leads to"
    raise NotPrivateError(
        f"Others may read or change {target}{through}, and so try codes."
        f" Run: chmod 600 {quote(str(target))}"
    )
