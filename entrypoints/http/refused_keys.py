"""Logs refused keys: their number, and the public beginning of one of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from aiohttp import web

from ...adapters.logs import logger

# Guessed keys must not fill the disk, so a line counts all refusals since the last line.
EVERY_SECONDS = 1.0
# The beginning is shown only of texts with the form of a key or a token; their lists show it too.
_KEY = re.compile(r"(?:bearer +)?(wwt?_[A-Za-z0-9_-]{6})[A-Za-z0-9_-]{37} *", re.IGNORECASE)
_log = logger("watchword.http")


class RefusedKeys:
    """Logs authentication failures (C-8), at most one line a second."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._count = 0
        self._logged_at = -EVERY_SECONDS

    def note(self, request: web.Request) -> None:
        """Count a request without a valid key or token, and log it if a line is due."""
        self._count += 1
        now = self._monotonic()
        if now - self._logged_at < EVERY_SECONDS:
            return
        given = request.headers.get("Authorization", "") or request.headers.get("apikey", "")
        key = _KEY.fullmatch(given)
        _log.warning("authentication_failed", count=self._count, key_prefix=key and key[1])
        self._count, self._logged_at = 0, now
