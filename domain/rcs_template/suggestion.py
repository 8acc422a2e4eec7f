"""The buttons of a template, one type per kind (SPEC 2.3), told apart by `suggestion_type`."""

from __future__ import annotations

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class _Button:
    """The fields of every button: its label, and the data that a press returns."""

    display_text: str
    postback: str


@frozen(kw_only=True)
class Reply(_Button):
    """Sends the postback as an answer."""

    suggestion_type: Literal["reply"] = "reply"


@frozen(kw_only=True)
class DialerAction(_Button):
    """Dials a number."""

    suggestion_type: Literal["dialer_action"] = "dialer_action"
    phone_number: str


@frozen(kw_only=True)
class UrlAction(_Button):
    """Opens an address; `application` says in which application, in words that no documentation defines."""

    suggestion_type: Literal["url_action"] = "url_action"
    url: str
    application: str | None = None


@frozen(kw_only=True)
class ViewLocationLatLong(_Button):
    """Shows a place on a map, by decimal degrees."""

    suggestion_type: Literal["view_location_latlong"] = "view_location_latlong"
    label: str
    latitude: str
    longitude: str


@frozen(kw_only=True)
class ViewLocationQuery(_Button):
    """Shows the result of a search on a map."""

    suggestion_type: Literal["view_location_query"] = "view_location_query"
    query: str


@frozen(kw_only=True)
class ShareLocation(_Button):
    """Requests the person's location."""

    suggestion_type: Literal["share_location"] = "share_location"


@frozen(kw_only=True)
class CalendarEvent(_Button):
    """Adds an event to the person's calendar; times are kept as written."""

    suggestion_type: Literal["calendar_event"] = "calendar_event"
    title: str
    description: str
    start_time: str
    end_time: str
    time_zone: str


Suggestion = (
    Reply
    | DialerAction
    | UrlAction
    | ViewLocationLatLong
    | ViewLocationQuery
    | ShareLocation
    | CalendarEvent
)
