"""A signed head of the log as JSON."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import TypedDict

from ...application.ports.sealed_log import Head


class LogHead(TypedDict):
    """A signed head: `root` is in base64, `note` is the signed note of tlog-checkpoint."""

    origin: str
    size: int
    root: str
    at: datetime
    note: str


def log_head(head: Head) -> LogHead:
    """Return a head as it is shown."""
    root = base64.b64encode(head.root).decode()
    return LogHead(origin=head.origin, size=head.size, root=root, at=head.at, note=head.note)
