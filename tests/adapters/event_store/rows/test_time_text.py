"""How a time is kept as a text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from watchword.adapters.event_store.rows.time_text import time_text

zones = st.sampled_from(
    (UTC, timezone(timedelta(0)), timezone(timedelta(hours=5, minutes=30)), None)
)
times = st.builds(lambda at, zone: at.replace(tzinfo=zone), st.datetimes(), zones)


@given(times)
@example(datetime(2026, 4, 1, 12, 0, 0, 0, tzinfo=UTC))
@example(datetime(2026, 4, 1, 12, 0, 0, 1, tzinfo=UTC))
def test_a_time_is_kept_as_python_writes_it(at: datetime) -> None:
    """Times of older releases and of this one sort together."""
    assert at.isoformat(timespec="microseconds") == time_text(at)
