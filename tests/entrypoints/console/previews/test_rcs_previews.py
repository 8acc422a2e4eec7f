"""Previews of RCS templates."""

from typing import Any

import pytest

from tests.entrypoints.console.previews.drawing import drawn, read
from watchword.entrypoints.console.previews.rcs import rcs_preview
from watchword.entrypoints.console.previews.shown import Button, Medium, Run, Style

CARD: dict[str, Any] = {
    "cardTitle": "Spring [year]",
    "cardDescription": "Green teas",
    "mediaUrl": "https://shop.example/t.png",
    "suggestions": [{"suggestionType": "reply", "displayText": "More", "postback": "more"}],
}
EVERY_SUGGESTION = [
    ({"suggestionType": "reply"}, "Replies"),
    ({"suggestionType": "dialer_action", "phoneNumber": "+15550100"}, "Calls +15550100"),
    ({"suggestionType": "url_action", "url": "https://a.example/"}, "Opens https://a.example/"),
    (
        {
            "suggestionType": "view_location_latlong",
            "label": "Us",
            "latitude": "1.0",
            "longitude": "2.0",
        },
        "Shows Us on a map (1.0, 2.0)",
    ),
    ({"suggestionType": "view_location_query", "query": "tea"}, "Looks for tea on a map"),
    ({"suggestionType": "share_location"}, "Asks for the location"),
    (
        {"suggestionType": "calendar_event", "title": "Tea", "startTime": "a", "endTime": "b"},
        "Adds Tea to the calendar, a to b",
    ),
    ({"suggestionType": "unknown"}, "unknown"),
]


def test_a_text_has_blanks_and_suggestions() -> None:
    """Placeholders in brackets are blanks, and suggestions stand below the bubble."""
    data = {
        "type": "text_message",
        "textMessageContent": "Hello [name]!",
        "suggestions": CARD["suggestions"],
    }
    preview = rcs_preview(data, sender="TeaHouse")
    assert preview.bubbles[0].text == (Run("Hello "), Run("[name]", Style.BLANK), Run("!"))
    assert preview.suggestions == (Button("More", "Replies"),)
    said, _ = read(drawn(preview))
    assert said == "RCS TeaHouse Hello [name] ! More Replies"


@pytest.mark.parametrize(("suggestion", "does"), EVERY_SUGGESTION)
def test_a_suggestion_says_what_it_does(suggestion: dict[str, str], does: str) -> None:
    """Each of the seven kinds says in words what a press does; another word is shown as it is."""
    data = {"type": "text_message", "suggestions": [{**suggestion, "displayText": "Go"}]}
    assert rcs_preview(data).suggestions == (Button("Go", does),)


@pytest.mark.parametrize(
    ("order", "below"), [("media_at_top", False), ("text_message_at_top", True)]
)
def test_a_medium_stands_above_or_below(order: str, below: bool) -> None:
    """The order of a text with a medium is the author's."""
    data = {"type": "text_message_with_media", "documentUrl": "https://a.example/m.pdf?x=1"}
    (bubble,) = rcs_preview({**data, "messageOrder": order}).bubbles
    assert (bubble.medium, bubble.below) == (
        Medium("document", "https://a.example/m.pdf?x=1"),
        below,
    )


@pytest.mark.parametrize(
    ("layout", "beside", "height"),
    [
        ({"orientation": "VERTICAL", "height": "TALL_HEIGHT"}, "", "tall"),
        ({"orientation": "HORIZONTAL", "alignment": "RIGHT"}, "right", ""),
    ],
)
def test_a_card_has_a_layout(layout: dict[str, str], beside: str, height: str) -> None:
    """A vertical card has a height, and a horizontal one a side."""
    (card,) = rcs_preview({"type": "rich_card", "standAlone": CARD, **layout}).bubbles
    assert (card.beside, card.height) == (beside, height)
    assert card.title == (Run("Spring "), Run("[year]", Style.BLANK))
    assert card.buttons == (Button("More", "Replies"),)


def test_a_carousel_has_its_cards() -> None:
    """Cards of a carousel stand in the author's order, a video by its file's name."""
    video = {"cardTitle": "Film", "cardDescription": "", "fileName": "Spring.MP4"}
    preview = rcs_preview({"type": "carousel", "carouselList": [CARD, video]})
    assert [each.medium for each in preview.cards] == [
        Medium("image", "https://shop.example/t.png"),
        Medium("video", "Spring.MP4"),
    ]
    assert preview.bubbles == ()


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"type": "carousel", "carouselList": "x"},
        {"type": "carousel", "carouselList": [None, 3]},
        {"type": "rich_card"},
        {"type": ["rich_card"], "suggestions": [1, {"displayText": 4}]},
    ],
)
def test_a_draft_may_be_anything(draft: dict[str, Any]) -> None:
    """What a draft lacks, or has in a wrong type, is left out of its preview."""
    assert "phone-rcs" in drawn(rcs_preview(draft))
