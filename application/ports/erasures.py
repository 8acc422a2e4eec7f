"""The port for the list of erasures, which is kept apart from the store (C-74)."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class ErasuresUnwritable(Exception):
    """The list of erasures cannot be written; the text says where and why."""


class Erasures(Protocol):
    """
    The ids of erased people, outside the store and its backups.

    A backup brings back the keys of people who were erased since. The list says whom to erase again.
    """

    async def note(self, person_id: str, at: datetime) -> None:
        """
        Note an erasure; it is on disk on return. The same may be noted twice.

        Raises `ErasuresUnwritable`.
        """
        ...
