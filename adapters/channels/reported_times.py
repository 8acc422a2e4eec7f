"""Times in receipts, in the forms in which providers write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
# A provider's clock may be ahead of ours, and may have the wrong zone.
_AHEAD = timedelta(days=1)
# From these numbers on, a count since 1970 is in milliseconds, or in microseconds.
_MILLISECONDS, _MICROSECONDS = 10**11, 10**14
_MOST_DIGITS = 17


def reported_time(text: str | None, now: datetime) -> datetime:
    """
    Return the time that a text means: ISO 8601, RFC 2822, or a count since 1970.

    A time without a zone is in UTC. It is `now` if the text means no time, or one that cannot be right.
    """
    at = None if text is None else _read(text.strip())
    return at if at is not None and _EARLIEST <= at <= now + _AHEAD else now


def _read(text: str) -> datetime | None:
    try:
        whole = text.partition(".")[0]
        if whole.isascii() and whole.isdecimal() and len(whole) <= _MOST_DIGITS:
            return _since_1970(int(whole))
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            at = parsedate_to_datetime(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _since_1970(count: int) -> datetime:
    divisor = 1 if count < _MILLISECONDS else 1_000 if count < _MICROSECONDS else 1_000_000
    return datetime.fromtimestamp(count / divisor, UTC)
