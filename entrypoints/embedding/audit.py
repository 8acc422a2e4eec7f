"""Audits for embedders."""

from __future__ import annotations

from collections.abc import Collection

from ...application.audit.rebuilding import Progress, Rebuilt
from ...application.caller import EMBEDDED, Caller
from .leasing import Facade


class Audit(Facade):
    """What auditors ask about the log, and what follows from it (C-81)."""

    async def rebuild(
        self, only: Collection[str] = (), *, progress: Progress | None = None
    ) -> Rebuilt:
        """
        Put right the rows of lists that do not follow from the log, while the service goes on.

        `only` has the names of lists, such as `verifications`; without one, all are read. `progress` is
        called with the number of events that were read, and of all. Raises `ValidationFailedError`.
        """
        by = Caller("", EMBEDDED, self._parts.randomness.new_id("req"))
        return await self._parts.rebuilding.rebuild(by, only, progress)
