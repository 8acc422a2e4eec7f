"""Buttons as suggested replies and actions of RCS Business Messaging (SPEC 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from .....domain.public_url import url_problem
from .....domain.rcs_template import (
    CalendarEvent,
    DialerAction,
    Reply,
    ShareLocation,
    Suggestion,
    UrlAction,
    ViewLocationLatLong,
    ViewLocationQuery,
)
from . import limits
from .event_times import event_time
from .limits import check_number, checked_text, unfit

Part = Mapping[str, Any]
# The applications that open an address; a web view covers the whole screen.
_APPLICATIONS: Mapping[str, Part] = {
    "browser": {"application": "BROWSER"},
    "webview": {"application": "WEBVIEW", "webviewViewMode": "FULL"},
}
_DIALED = frozenset("0123456789+*#")


def suggestions(buttons: Sequence[Suggestion] | None, most: int) -> Mapping[str, Sequence[Part]]:
    """Return the member of a message or a card with its buttons; none if it has no buttons."""
    if not buttons:
        return {}
    check_number(len(buttons), most, "buttons")
    return {"suggestions": [_suggestion(each) for each in buttons]}


def _suggestion(button: Suggestion) -> Part:
    shown = {
        "text": checked_text(button.display_text, limits.SUGGESTION_TEXT, "text of a button"),
        "postbackData": checked_text(button.postback, limits.POSTBACK, "postback of a button"),
    }
    if isinstance(button, Reply):
        return {"reply": shown}
    return {"action": {**shown, **_action(button)}}


def _action(button: Suggestion) -> Part:
    match button:
        case DialerAction(phone_number=number):
            return {"dialAction": {"phoneNumber": _dialed(number)}}
        case UrlAction(url=url, application=application):
            opened = _APPLICATIONS.get((application or "").strip().lower(), {})
            return {"openUrlAction": {"url": _address(url), **opened}}
        case ViewLocationLatLong():
            place = {"latitude": float(button.latitude), "longitude": float(button.longitude)}
            return {"viewLocationAction": {"latLong": place, "label": button.label}}
        case ViewLocationQuery(query=query):
            return {"viewLocationAction": {"query": query}}
        case ShareLocation():
            return {"shareLocationAction": {}}
        case CalendarEvent():
            return {"createCalendarEventAction": _event(button)}
        case Reply():
            return {}
        case _:
            assert_never(button)


def _event(event: CalendarEvent) -> Part:
    return {
        "startTime": event_time(event.start_time, event.time_zone),
        "endTime": event_time(event.end_time, event.time_zone),
        "title": checked_text(event.title, limits.EVENT_TITLE, "title of a calendar event"),
        "description": checked_text(
            event.description, limits.EVENT_DESCRIPTION, "description of a calendar event"
        ),
    }


def _dialed(number: str) -> str:
    """Return a number in the characters that phones dial."""
    dialed = "".join(each for each in number if each in _DIALED)
    if not dialed:
        raise unfit("rcs_number_missing", "A button has no number to dial.")
    return dialed


def _address(url: str) -> str:
    # Values of a send may have made it another address than the template's author wrote.
    if url_problem(url) is not None or len(url) > limits.URL:
        raise unfit("rcs_url_refused", "The address of a button is not a public URL.")
    return url
