"""Makes files of secrets, and checks that only the owner can read or change them and their folders."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from shlex import quote

_ROOT = 0


class NotPrivateError(Exception):
    """Other users can read or replace a secret; the text says how to mend that."""


def read_private(path: Path) -> str:
    """
    Read a file that holds a secret.

    A symbolic link is followed, because container platforms provide secrets as links. The file must
    belong to this user or to root, and no other user may read it. A group may read root's files, because
    platforms provide them so to a user that is not root (D-139). No other user may be able to replace
    a file in the folder of the link or of the file.

    Raises `NotPrivateError`, and `OSError` for an unreadable file.
    """
    with path.open() as file:
        found = os.fstat(file.fileno())
        target = path.resolve()
        for folder in sorted({path.absolute().parent, target.parent}):
            _check_folder_of(path, folder)
        _check_owner(target, found)
        _check_readers(path, target, found)
        return file.read()


def make_private(path: Path, text: str) -> None:
    """
    Create a file that holds a secret (mode 0600), on disk when this returns.

    A file that is there already stays as it is: of two processes at once, both read the same secret.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Linked into place when complete, so that nobody reads a part of it.
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    try:
        with draft.open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
    # What the secret protects is synced to disk, so the secret and its name must be too.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def check_folder(folder: Path, purpose: str) -> None:
    """
    Check that only the owner may write a folder; a missing folder is no error.

    A sticky bit does not help: other users could still add files, and a database reads certain files
    beside it as its own. Raises `NotPrivateError`; `purpose` names the folder in its text.
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
        # A path such as a pipe's has no folder.
        return
    found = folder.stat()
    # In a sticky folder, users cannot replace each other's files.
    if _others_write(found) and not found.st_mode & stat.S_ISVTX:
        raise NotPrivateError(
            f"Others may put another file in the place of {path}, as they may write {folder}."
            f" Run: chmod go-w {quote(str(folder))}"
        )


def _check_owner(target: Path, found: os.stat_result) -> None:
    trusted = {os.geteuid(), _ROOT}
    if os.geteuid() == _ROOT:
        # An operator who is root may use files of the service's user in that user's folder.
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
        f"Others may read or change {target}{through}, which holds a secret."
        f" Run: chmod 600 {quote(str(target))}"
    )
