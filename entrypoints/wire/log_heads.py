"""A signed head of the log as JSON."""

from __future__ import annotations

import base64
from datetime import datetime

from attrs import frozen

from ...application.ports.sealed_log import Head


@frozen(kw_only=True)
class LogHead:
    """A signed head: `root` is in base64, `note` is the signed note of tlog-checkpoint."""

    origin: str
    size: int
    root: str
    at: datetime
    note: str

    @classmethod
    def of(cls, head: Head) -> LogHead:
        """Return a head as answers show it."""
        root = base64.b64encode(head.root).decode()
        return cls(origin=head.origin, size=head.size, root=root, at=head.at, note=head.note)
