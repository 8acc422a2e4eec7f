"""Rules for the buttons of a template (SPEC 2.3, section 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import assert_never

from ..dialed_number import dialed_number_problem
from ..errors import camel
from ..findings import Findings, check_text
from ..public_url import url_problem
from .suggestion import (
    CalendarEvent,
    DialerAction,
    Reply,
    ShareLocation,
    Suggestion,
    UrlAction,
    ViewLocationLatLong,
    ViewLocationQuery,
)
from .text_rules import MAX_BUTTON_TEXT, MAX_DISPLAY_TEXT, MAX_POSTBACK
from .time_zones import TIME_ZONES

_DEGREES = re.compile(r"[+-]?[0-9]{1,3}(\.[0-9]{1,20})?")
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_HOUR_AND_MINUTE = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = re.compile(
    rf"{_DATE} {_HOUR_AND_MINUTE}:[0-5][0-9]"
    rf"|{_DATE}T{_HOUR_AND_MINUTE}(:[0-5][0-9](\.[0-9]{{1,9}})?)?"
    rf"(Z|[+-]{_HOUR_AND_MINUTE.replace(':', ':?')})?"
)


def check_suggestions(
    findings: Findings, path: str, suggestions: Sequence[Suggestion] | None
) -> None:
    """Note the problems of each button, by its path."""
    for index, suggestion in enumerate(suggestions or ()):
        _check(findings, f"{path}[{index}]", suggestion)


def check_number(findings: Findings, path: str, number: int, most: int, where: str = "") -> None:
    """Note a list with too many buttons."""
    if number > most:
        findings.note(path, f"must have at most {most} entries{where}; there are {number}")


def _check(findings: Findings, path: str, suggestion: Suggestion) -> None:
    check_text(findings, f"{path}.display_text", suggestion.display_text, MAX_DISPLAY_TEXT)
    check_text(findings, f"{path}.postback", suggestion.postback, MAX_POSTBACK)
    match suggestion:
        case Reply() | ShareLocation():
            pass
        case DialerAction(phone_number=number):
            if problem := dialed_number_problem(number):
                findings.note(f"{path}.phone_number", problem)
        case UrlAction(url=url, application=application):
            if problem := url_problem(url):
                findings.note(f"{path}.url", problem)
            if application:
                check_text(findings, f"{path}.application", application, MAX_BUTTON_TEXT)
        case ViewLocationLatLong():
            check_text(findings, f"{path}.label", suggestion.label, MAX_BUTTON_TEXT)
            _check_degrees(findings, f"{path}.latitude", suggestion.latitude, 90)
            _check_degrees(findings, f"{path}.longitude", suggestion.longitude, 180)
        case ViewLocationQuery(query=query):
            check_text(findings, f"{path}.query", query, MAX_BUTTON_TEXT)
        case CalendarEvent():
            check_text(findings, f"{path}.title", suggestion.title, MAX_BUTTON_TEXT)
            check_text(findings, f"{path}.description", suggestion.description, MAX_BUTTON_TEXT)
            _check_times(findings, path, suggestion)
        case _:
            assert_never(suggestion)


def _check_degrees(findings: Findings, path: str, text: str, most: int) -> None:
    if not _DEGREES.fullmatch(text) or abs(Decimal(text)) > most:
        findings.note(path, f"must be decimal degrees from -{most} to {most}, such as 12.9716")


def _check_times(findings: Findings, path: str, event: CalendarEvent) -> None:
    """Note malformed times, and an end that certainly precedes its start (D-83)."""
    start, end = _instant(event.start_time), _instant(event.end_time)
    for name, instant in (("start_time", start), ("end_time", end)):
        if instant is None:
            findings.note(
                f"{path}.{name}",
                "must be a time such as 2030-01-31T12:00:00Z or 2030-01-31 12:00:00",
            )
    if event.time_zone not in TIME_ZONES:
        findings.note(
            f"{path}.time_zone", "must be the name of a time zone, such as Asia/Kolkata or UTC"
        )
    # A local time and one with an offset cannot be compared without the zone's history.
    if start and end and bool(start.tzinfo) == bool(end.tzinfo) and end < start:
        findings.note(f"{path}.end_time", f"must not be before {camel('start_time')}")


def _instant(text: str) -> datetime | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
