"""A folder that everybody may look into, and in which this process can make nothing for a while."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def open_folder() -> Iterator[Path]:
    """Yield a folder of its own, because pytest's admit no other user."""
    with TemporaryDirectory(prefix="watchword-test-") as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


@contextmanager
def read_only(folder: Path, *, hidden: str | None = None) -> Iterator[None]:
    """Have a folder and its files read by everybody, but for a hidden one, and written not even by root."""
    for file in folder.iterdir():
        file.chmod(0 if file.name == hidden else 0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        # To root nothing is read-only; threads that begin here change their user with the process.
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        for file in folder.iterdir():
            file.chmod(0o644)
