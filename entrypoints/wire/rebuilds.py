"""What to rebuild, and the report on it, in the documented spelling (C-81)."""

from __future__ import annotations

from collections.abc import Mapping

import attrs
from attrs import frozen

from ...application.audit.rebuilding import Rebuilt


@frozen(kw_only=True)
class RebuildBody:
    """The body that asks for a rebuild: the names of lists, all of them by default."""

    only: tuple[str, ...] | None = None


@frozen(kw_only=True)
class Rebuild:
    """What a rebuild read, and how many rows it put right, by list."""

    events: int
    streams: int
    replaced: Mapping[str, int]
    removed: Mapping[str, int]
    flawed: int

    @classmethod
    def of(cls, rebuilt: Rebuilt) -> Rebuild:
        """Return a report as answers show it."""
        return cls(**attrs.asdict(rebuilt))
