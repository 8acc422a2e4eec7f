"""Times of events in UTC, as Google's API wants them (SPEC 2.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from .limits import unfit


def event_time(text: str, time_zone: str) -> str:
    """
    Return a time in UTC; one without an offset is in the time zone.

    Raises `NotSentError` for a text that is no time, and for a time zone that this machine does not know.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise unfit("rcs_event_time", "A time of the calendar event is no time.") from None
    if at.tzinfo is None:
        at = at.replace(tzinfo=_zone(time_zone))
    try:
        return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except OverflowError:
        raise unfit("rcs_event_time", "A time of the calendar event is no time.") from None


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        words = "This machine does not know the time zone of the calendar event. Install tzdata."
        raise unfit("rcs_time_zone", words) from None
