"""Buttons: seven kinds, their required fields, and their numbers (SPEC 2.3, section 8, C-57)."""

from __future__ import annotations

import zoneinfo
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.rcs_templates import CARD, CAROUSEL, MEDIA, REPLY, RICH_CARD, TEXT, wrong_with
from watchword.domain.errors import camel
from watchword.domain.rcs_template import (
    CalendarEvent,
    DialerAction,
    ShareLocation,
    Suggestion,
    UrlAction,
    ViewLocationLatLong,
    ViewLocationQuery,
)
from watchword.domain.rcs_template.time_zones import TIME_ZONES

SAID: dict[str, Any] = {"display_text": "Tea", "postback": "tea"}
DIAL = DialerAction(phone_number="+919812345610", **SAID)
OPEN = UrlAction(url="https://example.com/tea", **SAID)
PLACE = ViewLocationLatLong(label="Shop", latitude="12.9716", longitude="77.5946", **SAID)
QUERY = ViewLocationQuery(query="tea near me", **SAID)
EVENT = CalendarEvent(
    title="Tasting",
    description="Six oolongs",
    start_time="2031-05-04 12:00:00",
    end_time="2031-05-04 13:00:00",
    time_zone="Asia/Kolkata",
    **SAID,
)
WITH: dict[str, Any] = {
    **{"phone_number": DIAL, "url": OPEN, "latitude": PLACE, "longitude": PLACE},
    **{"query": QUERY, "start_time": EVENT, "end_time": EVENT, "time_zone": EVENT},
}
KINDS = (REPLY, DIAL, OPEN, PLACE, QUERY, ShareLocation(**SAID), EVENT)


def wrong(suggestion: Suggestion) -> list[str]:
    """Return the members of a button that break a rule."""
    return [
        path.removeprefix("data.suggestions[0].")
        for path in wrong_with(evolve(TEXT, suggestions=(suggestion,)))
    ]


@pytest.mark.parametrize("suggestion", KINDS)
def test_every_kind(suggestion: Suggestion) -> None:
    """Each is right as it is, and wants a text to show and a postback."""
    assert [] == wrong(suggestion)
    assert ["displayText", "postback"] == wrong(evolve(suggestion, display_text="", postback=" "))


@pytest.mark.parametrize(
    ("suggestion", "fields"),
    [
        (DIAL, {"phone_number": "phoneNumber"}),
        (OPEN, {"url": "url"}),
        (PLACE, {"label": "label", "latitude": "latitude", "longitude": "longitude"}),
        (QUERY, {"query": "query"}),
        (
            EVENT,
            {
                "title": "title",
                "description": "description",
                "start_time": "startTime",
                "end_time": "endTime",
                "time_zone": "timeZone",
            },
        ),
    ],
)
def test_what_a_kind_needs(suggestion: Any, fields: dict[str, str]) -> None:
    """No required field may be empty, and all mistakes are named at once."""
    assert [*fields.values()] == wrong(evolve(suggestion, **dict.fromkeys(fields, "")))


@pytest.mark.parametrize(
    ("suggestion", "field"),
    [
        (OPEN, "application"),
        (PLACE, "label"),
        (QUERY, "query"),
        (EVENT, "title"),
        (EVENT, "description"),
    ],
)
def test_a_text_without_a_documented_limit_has_one(suggestion: Any, field: str) -> None:
    """2,000 characters: templates are kept in memory, fetched by the hundred, and filled in."""
    assert [] == wrong(evolve(suggestion, **{field: "x" * 2_000}))
    assert [field] == wrong(evolve(suggestion, **{field: "x" * 2_001}))


@pytest.mark.parametrize(
    "number", ["+919812345610", "1234567", "123456789012345", "(022) 2345-6789", "080.2345.6789"]
)
def test_a_phone_number(number: str) -> None:
    """7 to 15 digits, with or without a plus, in groups as people write them."""
    assert [] == wrong(evolve(DIAL, phone_number=number))


@pytest.mark.parametrize(
    "number",
    [
        *("123456", "1234567890123456", "+0123456789", "++1234567", "12345a7", "12345+67", "+"),
        *("tel:+919812345610", "+91 98123 45610\n", "\u0661" * 10, "[phone]"),
    ],
)
def test_what_is_no_phone_number(number: str) -> None:
    """Too short, too long, or with anything else in it."""
    assert ["phoneNumber"] == wrong(evolve(DIAL, phone_number=number))


@pytest.mark.parametrize("url", ["tea", "ftp://example.com/", "http://localhost/"])
def test_a_button_opens_a_public_url(url: str) -> None:
    """The form is that of all URLs of a template (C-56)."""
    assert ["url"] == wrong(evolve(OPEN, url=url))


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [("90", "180"), ("-90", "-180.0"), ("+12.9716", "077.59"), ("0", "-0.0")],
)
def test_a_place_on_earth(latitude: str, longitude: str) -> None:
    """Decimal degrees, the limits included."""
    assert [] == wrong(evolve(PLACE, latitude=latitude, longitude=longitude))


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [
        ("90.00000000000000000001", "180.00000000000000000001"),
        ("-91", "-181"),
        ("12,5", "12\u00b0"),
        ("1e1", "nan"),
        ("inf", "\u0661"),
        (".5", "5."),
        ("12 N", "[place]"),
        (" 12", "12\n"),
    ],
)
def test_no_place_on_earth(latitude: str, longitude: str) -> None:
    """Past the limits, or not decimal degrees."""
    assert ["latitude", "longitude"] == wrong(evolve(PLACE, latitude=latitude, longitude=longitude))


@pytest.mark.parametrize(
    "time",
    [
        "2031-05-04 00:00:00",
        "2032-02-29 12:00:00",
        "2031-05-04T12:00",
        "2031-05-04T12:00:00",
        "2031-05-04T12:00:00.123456789",
        "2031-05-04T12:00:00Z",
        "2031-05-04T12:00+05:30",
        "2031-05-04T12:00:00-0930",
    ],
)
def test_a_time(time: str) -> None:
    """`yyyy-MM-dd HH:mm:ss`, or ISO 8601, with or without an offset."""
    assert [] == wrong(evolve(EVENT, start_time=time, end_time=time))


@pytest.mark.parametrize(
    "time",
    [
        *("2031-05-04", "12:00:00", "2031-02-29 12:00:00", "2031-05-04 12:00", "1936353600"),
        *("2031-05-04 24:00:00", "2031-05-04 12:60:00", "2031-05-04 12:00:00Z", "tomorrow"),
        *("04-05-2031 12:00:00", "2031-13-04T12:00", "20310504T120000", "2031-W18-7T12:00"),
        *("2031-05-04T12:00:00+25:00", "0000-01-01T00:00", "2031-05-04T12:00:00 "),
        "\u0662031-05-04 12:00:00",
    ],
)
def test_what_is_no_time(time: str) -> None:
    """Any other form, and moments that no calendar has."""
    assert ["startTime", "endTime"] == wrong(evolve(EVENT, start_time=time, end_time=time))


@pytest.mark.parametrize(
    ("start", "end", "kept"),
    [
        ("2031-05-04 12:00:00", "2031-05-04 12:00:00", True),
        ("2031-05-04 12:00:01", "2031-05-04 12:00:00", False),
        ("2031-05-04T12:00:00", "2031-05-04 11:59:59", False),
        ("2031-05-04T12:00:00+05:30", "2031-05-04T07:00:00Z", True),
        ("2031-05-04T12:00:00Z", "2031-05-04T12:00:00+05:30", False),
        # One has an offset and the other none, so only the zone's rules could compare them.
        ("2031-05-04T12:00:00Z", "2031-05-04 11:00:00", True),
        ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", True),
    ],
)
def test_no_event_ends_before_it_starts(start: str, end: str, kept: bool) -> None:
    """The rule holds as far as the two times can be compared (D-83); the end is named."""
    assert ([] if kept else ["endTime"]) == wrong(evolve(EVENT, start_time=start, end_time=end))


@pytest.mark.parametrize(
    "zone",
    [
        *("Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv", "UTC"),
        *("GMT+0", "GMT-0", "GMT0", "Etc/GMT-5", "Etc/GMT-14", "Etc/GMT+12"),
    ],
)
def test_a_time_zone(zone: str) -> None:
    """A name of the IANA database, old ones included."""
    assert [] == wrong(evolve(EVENT, time_zone=zone))


@pytest.mark.parametrize(
    "zone",
    [
        *(
            "Asia/Kolkatta",
            "asia/kolkata",
            "IST",
            "+05:30",
            "Mars/Olympus",
            "Asia",
            "Asia/",
            "../etc",
        ),
        *("GMT+1", "GMT-1", "GMT1", "Etc/GMT-15", "Etc/GMT+13"),
    ],
)
def test_what_is_no_time_zone(zone: str) -> None:
    """A misspelling, an abbreviation that several zones share, an offset."""
    assert ["timeZone"] == wrong(evolve(EVENT, time_zone=zone))


def test_the_list_of_time_zones_is_the_databases() -> None:
    """The list agrees with this machine's; a machine with many more has a newer database."""
    known = zoneinfo.available_timezones() - {"Factory", "localtime"}

    assert 5 > len(known - TIME_ZONES)
    assert 590 < len(TIME_ZONES)


@given(st.sampled_from(sorted(WITH)), st.text())
def test_any_text_is_judged(name: str, text: str) -> None:
    """Every value of a member is accepted, or that member alone is named."""
    member: Any = {name: text}
    changed: Any = evolve(WITH[name], **member)

    assert wrong(changed) in ([], [camel(name)])


@pytest.mark.parametrize("content", [TEXT, MEDIA, CAROUSEL])
def test_eleven_buttons_on_a_message(content: Any) -> None:
    """A carousel has this limit for the buttons beside it, too."""
    assert [] == wrong_with(evolve(content, suggestions=(REPLY,) * 11))
    assert ["data.suggestions"] == wrong_with(evolve(content, suggestions=(REPLY,) * 12))


@pytest.mark.parametrize(("on_card", "beside"), [(4, 0), (0, 4), (2, 2)])
def test_four_buttons_on_a_rich_card(on_card: int, beside: int) -> None:
    """On the card and beside it together (C-57)."""
    card = evolve(CARD, suggestions=(REPLY,) * on_card)
    full = evolve(RICH_CARD, stand_alone=card, suggestions=(REPLY,) * beside)
    path = "data.standAlone.suggestions" if on_card else "data.suggestions"
    more = evolve(full, suggestions=(REPLY,) * (beside + 1))

    assert [] == wrong_with(full)
    assert [path] == wrong_with(more)


def test_four_buttons_on_each_card_of_a_carousel() -> None:
    """Free places of one card do not count for another."""
    full, over = (evolve(CARD, suggestions=(REPLY,) * number) for number in (4, 5))

    assert [] == wrong_with(evolve(CAROUSEL, carousel_list=(full,) * 10, suggestions=(REPLY,) * 11))
    assert ["data.carouselList[1].suggestions"] == wrong_with(
        evolve(CAROUSEL, carousel_list=(CARD, over))
    )


@pytest.mark.parametrize("number", [0, 1, 2, 10, 11])
def test_two_to_ten_cards(number: int) -> None:
    """A carousel has them in a row (C-57)."""
    expected = [] if 2 <= number <= 10 else ["data.carouselList"]

    assert expected == wrong_with(evolve(CAROUSEL, carousel_list=(CARD,) * number))
