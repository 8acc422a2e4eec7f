"""RCS templates under which something is sent: every placeholder, filled in everywhere (C-60)."""

from __future__ import annotations

import pytest

from tests.rcs_templates import CAROUSEL, MEDIA, RICH_CARD, stored
from watchword.domain.message import RcsTemplateContent
from watchword.domain.rcs_template import (
    CalendarEvent,
    Card,
    Carousel,
    DialerAction,
    Height,
    MessageOrder,
    MessageType,
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
from watchword.domain.template_filling import (
    filled_rcs,
    holds_code,
    value_problems,
    weight,
    worded,
)

SUGGESTIONS: dict[str, Suggestion] = {
    "[Yes [v]]": Reply(display_text="Yes [v]", postback="yes"),
    "[Here] ": ShareLocation(display_text="Here", postback="[v]"),
    "[Call] +4930[v]": DialerAction(display_text="Call", postback="x", phone_number="+4930[v]"),
    "[See] https://tea.example/[v]": UrlAction(
        display_text="See", postback="x", url="https://tea.example/[v]"
    ),
    "[Map] Shop [v] (52.5, 13.4)": ViewLocationLatLong(
        display_text="Map", postback="x", label="Shop [v]", latitude="52.5", longitude="13.4"
    ),
    "[Near] tea [v]": ViewLocationQuery(display_text="Near", postback="x", query="tea [v]"),
    "[Note] Tasting [v], 2030-01-31 18:00:00 to 2030-01-31 20:00:00": CalendarEvent(
        display_text="Note",
        postback="x",
        title="Tasting [v]",
        description="Bring a friend",
        start_time="2030-01-31 18:00:00",
        end_time="2030-01-31 20:00:00",
        time_zone="Europe/Berlin",
    ),
}


def sent(**params: str) -> RcsTemplateContent:
    """Return what is sent with these values."""
    return RcsTemplateContent(message_type="template", template_code="tea", params=params)


def problems(content: TemplateContent, **params: str) -> list[tuple[str, str]]:
    """Return what is wrong with these values, by path."""
    found = value_problems(sent(**params), stored(content), "rcs[0].params")
    return [(each.path, each.message) for each in found]


@pytest.mark.parametrize("said", SUGGESTIONS)
def test_a_button_is_filled_in(said: str) -> None:
    """Placeholders of every kind, in any of its texts, also in the form beside the text."""
    content = TextMessage(text_message_content="Tea", suggestions=(SUGGESTIONS[said],))

    assert [("rcs[0].params", "must have a value for v")] == problems(content)
    assert [] == problems(content, v="7", more="is nobody's harm")
    expected = said.replace("[v]", "7").rstrip()
    assert f"Tea\n{expected}" == worded(sent(v="7"), stored(content))


def test_what_is_filled_in_is_not_scanned_again() -> None:
    """One pass: a value that looks like a placeholder stays as it is; other brackets are text."""
    content = TextMessage(text_message_content="[a] [b c] [b] {{1}}")

    assert "[b] [b c] x {{1}}" == worded(sent(a="[b]", b="x"), stored(content))


def test_every_card_is_filled_in() -> None:
    """Title, description and buttons of each, and the buttons beside a carousel."""
    card = Card(
        media_url="https://cdn.example/[raw].png",
        card_title="[a]",
        card_description="For [b]",
        suggestions=(Reply(display_text="[c]", postback="[d]"),),
    )
    beside = (Reply(display_text="More", postback="[e]"),)
    rich = RichCard(
        layout=Vertical(height=Height.TALL_HEIGHT), stand_alone=card, suggestions=beside
    )
    row = Carousel(
        height=Height.SHORT_HEIGHT,
        width=Width.SMALL_WIDTH,
        carousel_list=(card, card),
        suggestions=beside,
    )
    values = {name: name.upper() for name in "abcde"}
    once = "https://cdn.example/[raw].png\nA\nFor B\n[C]"

    for content, worded_so in ((rich, f"{once}\n[More]"), (row, f"{once}\n{once}\n[More]")):
        assert [("rcs[0].params", "must have a value for a, b, c, d, e")] == problems(content)
        assert [] == problems(content, **values)
        assert worded_so == worded(sent(**values), stored(content))
    filled = filled_rcs(sent(**values), stored(row))
    assert isinstance(filled, Carousel)
    assert filled.suggestions == (Reply(display_text="More", postback="E"),)
    assert filled.carousel_list[1].suggestions == (Reply(display_text="C", postback="D"),)


def test_media_stand_in_the_text_by_their_urls() -> None:
    """A medium without a URL has the name of its file."""
    by_name = TextMessageWithMedia(
        text_message_content="Menu",
        document_file_name="menu.pdf",
        message_order=MessageOrder.MEDIA_AT_TOP,
    )

    assert "https://cdn.example/teas.pdf\nThe new teas are here." == worded(sent(), stored(MEDIA))
    assert "menu.pdf\nMenu" == worded(sent(), stored(by_name))


@pytest.mark.parametrize("content", [RICH_CARD, CAROUSEL])
def test_what_stays_is_as_it_was(content: TemplateContent) -> None:
    """Filling in changes placeholders and nothing else."""
    assert content == filled_rcs(sent(name="[name]"), stored(content))


def test_a_template_for_codes() -> None:
    """Only message type OTP means that its values are a code (C-23)."""
    kinds = {kind: holds_code(stored(message_type=kind)) for kind in MessageType}

    assert [MessageType.OTP] == [kind for kind, holds in kinds.items() if holds]


@pytest.mark.parametrize(("value", "characters"), [("", 16), ("12345", 22), ("1234567", 28)])
def test_a_template_weighs_what_is_written_or_filled_in(value: str, characters: int) -> None:
    """The larger of the two counts, in all texts that each message needs (D-95)."""
    pressed = Reply(display_text="[v]", postback="[v]")
    content = TextMessage(text_message_content="Hello [v]!", suggestions=(pressed,))

    assert characters == weight(sent(v=value), stored(content))
