"""Tell operators of deliveries that cannot be read, in few lines however many there are (D-299)."""

from __future__ import annotations

import asyncio

from ...logs import logger
from .pdus import PduError

# A line for each would let an SMSC fill the disk, and hold the event loop.
_PAUSE = 60.0

_log = logger("watchword.smpp")


class Unreadable:
    """Counts the unreadable deliveries of a channel account; the log has a line a minute."""

    def __init__(self, channel_account_id: str) -> None:
        self._channel_account_id = channel_account_id
        self._number = 0
        self._next_at = 0.0

    def count(self, error: PduError) -> None:
        """Count a delivery; the newest reason stands in the line, and how many there were since the last."""
        self._number += 1
        now = asyncio.get_running_loop().time()
        if now < self._next_at:
            return
        _log.warning(
            "smpp_delivery_unreadable",
            channel_account=self._channel_account_id,
            reason=str(error),
            number=self._number,
        )
        self._number, self._next_at = 0, now + _PAUSE
