"""The span of the overview: today, thirty days, or times of the reader's own."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from tests.entrypoints.console.figures.rows import NOON, figures
from watchword.application.statistics.views import By
from watchword.domain.errors import ValidationFailedError
from watchword.entrypoints.console.figures.spans import Span, preset, span_asked

NOW = NOON + timedelta(minutes=20)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MIDNIGHT = NOON - 12 * HOUR


def hours(span: Span) -> list[datetime]:
    """Return the beginnings of the points of a span in which nothing was sent."""
    return [each.at for each in span.points([])]


def test_today_begins_at_midnight_in_utc() -> None:
    """It has a point for each hour up to this one, wherever the clock of the reader is."""
    span = preset("today", NOW.astimezone(timezone(timedelta(hours=-9))))

    assert [MIDNIGHT + hour * HOUR for hour in range(13)] == hours(span)
    assert By.HOUR is span.by
    assert MIDNIGHT + 23 * HOUR == span.end


def test_thirty_days_end_with_today() -> None:
    """They are whole days, the last of which is not over."""
    span = span_asked({"range": "30d"}, NOW)

    assert [MIDNIGHT - day * DAY for day in range(29, -1, -1)] == hours(span)
    assert ("Last 30 days", None) == (span.name, span.end)


def test_an_hour_without_sends_is_a_point_too() -> None:
    """A line through the hours with sends alone would show sends that never were."""
    found = preset("today", NOW).points([figures(MIDNIGHT + 2 * HOUR, sent=7)])

    assert [0, 0, 7, *[0] * 10] == [each.sent for each in found]


@pytest.mark.parametrize(
    ("query", "by", "name"),
    [
        ({"from": "2031-05-01", "to": "2031-05-03"}, By.HOUR, "2031-05-01 to 2031-05-03"),
        ({"from": "2031-04-01", "to": "2031-05-03"}, By.DAY, "2031-04-01 to 2031-05-03"),
        (
            {"from": "2031-05-01T10:30:00Z", "to": "2031-05-02", "by": "day"},
            By.DAY,
            "2031-05-01 10:30 to 2031-05-02",
        ),
        ({"from": "2031-05-04", "range": "30d"}, By.HOUR, "2031-05-04 to 2031-05-04 12:20"),
    ],
)
def test_times_of_the_reader_s_own_are_a_span(query: dict[str, str], by: By, name: str) -> None:
    """They are read as the statistics read them; a long span has days, unless hours are asked for."""
    span = span_asked(query, NOW)

    assert (by, name, None) == (span.by, span.name, span.preset)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"range": "century"}, "range"),
        ({"from": "yesterday"}, "from"),
    ],
)
def test_a_span_that_is_none_is_refused_by_its_name(query: dict[str, str], field: str) -> None:
    """The page says which field is wrong."""
    with pytest.raises(ValidationFailedError) as refused:
        span_asked(query, NOW)

    assert [field] == [each.path for each in refused.value.problems]
