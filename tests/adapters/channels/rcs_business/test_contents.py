"""Templates in the shape of RCS Business Messaging: every kind of card and button, and its limits (D-291)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.adapters.channels.rcs_business.google import Google, config_at
from tests.adapters.channels.rcs_business.published import agent_message_problems
from watchword.adapters.channels.rcs_business import RcsBusinessProvider
from watchword.application.ports.channels import Accepted, Fault, Rejected
from watchword.domain.channel import Channel
from watchword.domain.rcs_template import (
    Alignment,
    CalendarEvent,
    Card,
    Carousel,
    DialerAction,
    Height,
    Horizontal,
    MessageOrder,
    Reply,
    RichCard,
    ShareLocation,
    Suggestion,
    TemplateContent,
    TextMessage,
    TextMessageWithMedia,
    UrlAction,
    Vertical,
    ViewLocationLatLong,
    ViewLocationQuery,
    Width,
)
from watchword.testing import a_message

PICTURE, SMALL = "https://cdn.example.com/tea.png", "https://cdn.example.com/small.png"
SHOWN: dict[str, Any] = {"display_text": "Tea", "postback": "tea-7"}
REPLY = Reply(**SHOWN)
EVENT = CalendarEvent(
    **SHOWN,
    title="Tea",
    description="At the house",
    start_time="2031-01-31 12:00:00",
    end_time="2031-01-31 13:30:00",
    time_zone="Asia/Kolkata",
)
CARD = Card(media_url=PICTURE, card_title="Tea", card_description="Fresh tea")
TEXT = TextMessage(text_message_content="Tea is ready.")
WITH_MEDIA = TextMessageWithMedia(
    text_message_content="Tea is ready.",
    document_url=PICTURE,
    message_order=MessageOrder.MEDIA_AT_TOP,
)
RICH = RichCard(layout=Vertical(height=Height.TALL_HEIGHT), stand_alone=CARD)
ROW = Carousel(height=Height.SHORT_HEIGHT, width=Width.MEDIUM_WIDTH, carousel_list=(CARD, CARD))
# The medium of a card, as Google has it.
MEDIUM = {"height": "MEDIUM", "contentInfo": {"fileUrl": PICTURE}}


async def shown(google: Google, content: TemplateContent) -> Any:
    """Send a template to a Google that checks its shape; return what it was given to show."""
    provider = RcsBusinessProvider()
    message = a_message(1, channel=Channel.RCS, rcs=content)
    answer = await provider.send(config_at(google.url), message)
    await provider.close()
    assert isinstance(answer, Accepted), answer
    return google.requests("POST")[-1].json()["contentMessage"]


@pytest.mark.parametrize(
    ("button", "suggestion"),
    [
        (REPLY, {"reply": {"text": "Tea", "postbackData": "tea-7"}}),
        (
            DialerAction(**SHOWN, phone_number="+44 7700-900 123"),
            {"dialAction": {"phoneNumber": "+447700900123"}},
        ),
        (
            UrlAction(**SHOWN, url="https://tea.example.com/?q=1"),
            {"openUrlAction": {"url": "https://tea.example.com/?q=1"}},
        ),
        (
            UrlAction(**SHOWN, url="https://tea.example.com", application="Browser"),
            {"openUrlAction": {"url": "https://tea.example.com", "application": "BROWSER"}},
        ),
        (
            UrlAction(**SHOWN, url="https://tea.example.com", application="webview"),
            {
                "openUrlAction": {
                    "url": "https://tea.example.com",
                    "application": "WEBVIEW",
                    "webviewViewMode": "FULL",
                }
            },
        ),
        (
            UrlAction(**SHOWN, url="https://tea.example.com", application="a samovar"),
            {"openUrlAction": {"url": "https://tea.example.com"}},
        ),
        (
            ViewLocationLatLong(**SHOWN, label="House", latitude="+12.9716", longitude="-77.5"),
            {
                "viewLocationAction": {
                    "latLong": {"latitude": 12.9716, "longitude": -77.5},
                    "label": "House",
                }
            },
        ),
        (
            ViewLocationQuery(**SHOWN, query="tea house"),
            {"viewLocationAction": {"query": "tea house"}},
        ),
        (ShareLocation(**SHOWN), {"shareLocationAction": {}}),
        (
            EVENT,
            {
                "createCalendarEventAction": {
                    "startTime": "2031-01-31T06:30:00Z",
                    "endTime": "2031-01-31T08:00:00Z",
                    "title": "Tea",
                    "description": "At the house",
                }
            },
        ),
    ],
)
async def test_each_button_is_a_suggestion(
    google: Google, button: Suggestion, suggestion: dict[str, Any]
) -> None:
    """A reply is one, and every other button an action with the same label and postback (SPEC 2.3)."""
    said = await shown(google, evolve(TEXT, suggestions=(button,)))
    wanted = (
        suggestion
        if "reply" in suggestion
        else {"action": {"text": "Tea", "postbackData": "tea-7", **suggestion}}
    )

    assert {"text": "Tea is ready.", "suggestions": [wanted]} == said


@pytest.mark.parametrize(
    ("start", "zone", "at"),
    [
        ("2031-01-31T12:00:00Z", "Asia/Kolkata", "2031-01-31T12:00:00Z"),
        ("2031-01-31T12:00:00+02:00", "UTC", "2031-01-31T10:00:00Z"),
        ("2031-01-31T12:00:00+0530", "UTC", "2031-01-31T06:30:00Z"),
        ("2031-01-31T12:00", "Europe/Berlin", "2031-01-31T11:00:00Z"),
        ("2031-07-31T12:00:00.123456789", "Europe/Berlin", "2031-07-31T10:00:00Z"),
        ("2031-01-31 12:00:00", "US/Pacific", "2031-01-31T20:00:00Z"),
    ],
)
async def test_an_events_time_is_in_utc(google: Google, start: str, zone: str, at: str) -> None:
    """A time without an offset is in the event's time zone, with its summer time (D-83)."""
    event = evolve(EVENT, start_time=start, end_time="2031-12-31T12:00:00Z", time_zone=zone)
    said = await shown(google, evolve(TEXT, suggestions=(event,)))

    assert at == said["suggestions"][0]["action"]["createCalendarEventAction"]["startTime"]


async def test_a_text_without_buttons(google: Google) -> None:
    """An empty list is left out."""
    assert {"text": "Tea is ready."} == await shown(google, TEXT)
    assert {"text": "Tea is ready."} == await shown(google, evolve(TEXT, suggestions=()))


@pytest.mark.parametrize("order", MessageOrder)
async def test_a_text_with_a_medium_is_a_card(google: Google, order: MessageOrder) -> None:
    """RCS shows the medium on top in either order: a horizontal card would cut a long text (D-291)."""
    content = evolve(WITH_MEDIA, message_order=order, suggestions=(REPLY,) * 11)
    said = await shown(google, content)

    assert {
        "standaloneCard": {
            "cardOrientation": "VERTICAL",
            "cardContent": {"description": "Tea is ready.", "media": MEDIUM},
        }
    } == said["richCard"]
    assert 11 == len(said["suggestions"])


@pytest.mark.parametrize(
    ("height", "wanted"),
    [
        (Height.SHORT_HEIGHT, "SHORT"),
        (Height.MEDIUM_HEIGHT, "MEDIUM"),
        (Height.TALL_HEIGHT, "TALL"),
    ],
)
async def test_a_vertical_card_has_a_height(google: Google, height: Height, wanted: str) -> None:
    """Its buttons stand on it, and those of the template below it."""
    card = evolve(CARD, thumbnail_url=SMALL, suggestions=(REPLY,) * 3)
    said = await shown(
        google, RichCard(layout=Vertical(height=height), stand_alone=card, suggestions=(REPLY,))
    )
    reply = {"reply": {"text": "Tea", "postbackData": "tea-7"}}

    assert {
        "richCard": {
            "standaloneCard": {
                "cardOrientation": "VERTICAL",
                "cardContent": {
                    "title": "Tea",
                    "description": "Fresh tea",
                    "media": {
                        "height": wanted,
                        "contentInfo": {"fileUrl": PICTURE, "thumbnailUrl": SMALL},
                    },
                    "suggestions": [reply] * 3,
                },
            }
        },
        "suggestions": [reply],
    } == said


@pytest.mark.parametrize(("side", "wanted"), [(Alignment.LEFT, "LEFT"), (Alignment.RIGHT, "RIGHT")])
async def test_a_horizontal_card_has_a_side(google: Google, side: Alignment, wanted: str) -> None:
    """Its medium has no height of its own."""
    said = await shown(google, RichCard(layout=Horizontal(alignment=side), stand_alone=CARD))

    assert {
        "standaloneCard": {
            "cardOrientation": "HORIZONTAL",
            "thumbnailImageAlignment": wanted,
            "cardContent": {"title": "Tea", "description": "Fresh tea", "media": MEDIUM},
        }
    } == said["richCard"]


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [
        (Width.MEDIUM_WIDTH, Height.TALL_HEIGHT, ("MEDIUM", "TALL")),
        (Width.MEDIUM_WIDTH, Height.SHORT_HEIGHT, ("MEDIUM", "SHORT")),
        (Width.SMALL_WIDTH, Height.MEDIUM_HEIGHT, ("SMALL", "MEDIUM")),
        (Width.SHORT_WIDTH, Height.SHORT_HEIGHT, ("SMALL", "SHORT")),
        (Width.SMALL_WIDTH, Height.TALL_HEIGHT, ("SMALL", "MEDIUM")),
        (Width.SHORT_WIDTH, Height.TALL_HEIGHT, ("SMALL", "MEDIUM")),
    ],
)
async def test_a_carousel_has_a_width_and_one_height(
    google: Google, width: Width, height: Height, wanted: tuple[str, str]
) -> None:
    """Google's cards have two widths, and small ones no tall media (D-291)."""
    said = await shown(google, evolve(ROW, width=width, height=height, suggestions=(REPLY,)))
    row = said["richCard"]["carouselCard"]

    assert wanted == (row["cardWidth"], row["cardContents"][0]["media"]["height"])
    assert ["Tea", "Tea"] == [each["title"] for each in row["cardContents"]]
    assert 1 == len(said["suggestions"])


LONG_LABEL = evolve(REPLY, display_text="x" * 26)
TOO_MANY = evolve(TEXT, suggestions=(REPLY,) * 12)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (evolve(TEXT, text_message_content="x" * 3_073), "rcs_text_too_long"),
        (evolve(TEXT, text_message_content=" "), "rcs_text_missing"),
        (evolve(TEXT, suggestions=(LONG_LABEL,)), "rcs_text_too_long"),
        (evolve(TEXT, suggestions=(evolve(REPLY, postback="x" * 2_049),)), "rcs_text_too_long"),
        (evolve(TEXT, suggestions=(evolve(REPLY, display_text=""),)), "rcs_text_missing"),
        (TOO_MANY, "rcs_too_many_parts"),
        (evolve(TEXT, suggestions=(evolve(EVENT, title="x" * 101),)), "rcs_text_too_long"),
        (evolve(TEXT, suggestions=(evolve(EVENT, description="x" * 501),)), "rcs_text_too_long"),
        (evolve(TEXT, suggestions=(evolve(EVENT, start_time="[when]"),)), "rcs_event_time"),
        (
            evolve(TEXT, suggestions=(evolve(EVENT, start_time="0001-01-01T00:00:00"),)),
            "rcs_event_time",
        ),
        (evolve(TEXT, suggestions=(evolve(EVENT, time_zone="../etc/tea"),)), "rcs_time_zone"),
        (evolve(TEXT, suggestions=(evolve(EVENT, time_zone="Mars/Tea"),)), "rcs_time_zone"),
        (
            evolve(TEXT, suggestions=(DialerAction(**SHOWN, phone_number="[number]"),)),
            "rcs_number_missing",
        ),
        (
            evolve(TEXT, suggestions=(UrlAction(**SHOWN, url="javascript:tea()"),)),
            "rcs_url_refused",
        ),
        (
            evolve(TEXT, suggestions=(UrlAction(**SHOWN, url="http://127.0.0.1/"),)),
            "rcs_url_refused",
        ),
        (evolve(WITH_MEDIA, text_message_content="x" * 2_001), "rcs_text_too_long"),
        (
            evolve(WITH_MEDIA, document_url=None, document_file_name="tea.pdf"),
            "rcs_file_not_public",
        ),
        (
            evolve(WITH_MEDIA, document_url="http://127.0.0.1:8080/media/med_1"),
            "rcs_file_not_public",
        ),
        (evolve(RICH, stand_alone=evolve(CARD, card_title="x" * 201)), "rcs_text_too_long"),
        (evolve(RICH, stand_alone=evolve(CARD, card_description="x" * 2_001)), "rcs_text_too_long"),
        (evolve(RICH, stand_alone=evolve(CARD, suggestions=(REPLY,) * 5)), "rcs_too_many_parts"),
        (
            evolve(RICH, stand_alone=evolve(CARD, thumbnail_url="http://10.0.0.1/")),
            "rcs_file_not_public",
        ),
        (evolve(ROW, carousel_list=(CARD,)), "rcs_card_missing"),
        (evolve(ROW, carousel_list=(CARD,) * 11), "rcs_too_many_parts"),
        (evolve(ROW, carousel_list=(evolve(CARD, card_title=""), CARD)), "rcs_text_missing"),
    ],
)
async def test_what_rcs_cannot_show_is_not_sent(
    google: Google, content: TemplateContent, code: str
) -> None:
    """Values may make a text too long, or an address another one; another step may be sent at once."""
    provider = RcsBusinessProvider()
    message = a_message(1, channel=Channel.RCS, rcs=content)
    answer = await provider.send(config_at(google.url), message)
    await provider.close()

    assert isinstance(answer, Rejected)
    assert (code, Fault.CONTENT) == (answer.code, answer.fault)
    assert "xxx" not in answer.message
    assert [] == google.web.requests


async def test_a_message_has_a_size(google: Google) -> None:
    """Google takes 250 KB; ten cards of emoji with long buttons are more."""
    buttons = tuple(evolve(REPLY, postback="\U0001f375" * 2_048) for _ in range(4))
    card = evolve(CARD, card_description="\U0001f375" * 2_000, suggestions=buttons)
    provider = RcsBusinessProvider()
    content = evolve(ROW, carousel_list=(card,) * 10)
    answer = await provider.send(
        config_at(google.url), a_message(1, channel=Channel.RCS, rcs=content)
    )
    await provider.close()

    assert isinstance(answer, Rejected)
    assert ("rcs_message_too_long", Fault.CONTENT) == (answer.code, answer.fault)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": "x" * 3_073},
        {"text": "tea", "richCard": {}},
        {"text": "tea", "suggestions": [{"reply": {"text": "tea"}}]},
        {"text": "tea", "color": "green"},
        {"richCard": {"standaloneCard": {"cardOrientation": "SQUARE", "cardContent": {}}}},
    ],
)
def test_the_counterpart_refuses_what_google_would(wrong: dict[str, Any]) -> None:
    """Its check of shapes can fail, or it would prove nothing."""
    good = {"contentMessage": {"text": "tea"}, "messageTrafficType": "PROMOTION"}

    assert [] == agent_message_problems(good)
    assert [] != agent_message_problems({**good, "contentMessage": wrong})
    assert [] != agent_message_problems({"contentMessage": {"text": "tea"}})
