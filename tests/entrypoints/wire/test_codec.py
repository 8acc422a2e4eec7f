"""Records as plain data: how values are spelled on the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from watchword.entrypoints.wire.codec import wire_time

NOON = datetime(2030, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        (NOON, "2030-01-31T12:00:00.000Z"),
        (NOON.replace(microsecond=999), "2030-01-31T12:00:00.000Z"),
        (NOON.replace(microsecond=45_999), "2030-01-31T12:00:00.045Z"),
        (NOON.astimezone(timezone(timedelta(hours=5, minutes=30))), "2030-01-31T12:00:00.000Z"),
        (NOON.replace(year=987), "0987-01-31T12:00:00.000Z"),
    ],
)
def test_a_time_is_shown_in_utc_to_the_millisecond(at: datetime, shown: str) -> None:
    """Three digits always, cut and not rounded, and Z (SPEC 2.7)."""
    assert shown == wire_time(at)
