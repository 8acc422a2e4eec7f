"""The port for the heads that are kept outside the database, so that a store that went back is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class HeadsUnreadable(Exception):
    """The newest head that was kept exists, but cannot be read."""


class HeadsNotKept(Exception):
    """A head could not be written outside the database."""


class KeptHeads(Protocol):
    """The newest signed heads, in one or several places outside the database."""

    async def latest(self) -> Sequence[str]:
        """
        Return the newest note of each place that has one.

        Raises `HeadsUnreadable` if that of the first place cannot be read; other places out of reach are
        left out.
        """
        ...

    async def keep(self, note: str, at: datetime) -> None:
        """
        Write a note to every place; it is on disk in the first one on return.

        Raises `HeadsNotKept` if the first place takes none; other places out of reach are left out.
        """
        ...
