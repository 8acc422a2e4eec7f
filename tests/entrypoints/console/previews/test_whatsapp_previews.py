"""Previews of WhatsApp templates and session messages."""

from typing import Any

import pytest

from tests.entrypoints.console.previews.drawing import drawn, read
from watchword.domain.message import WhatsappSessionContent
from watchword.entrypoints.console.previews.shown import Button, Medium, Run, Style, plain
from watchword.entrypoints.console.previews.whatsapp import session_preview, template_preview
from watchword.entrypoints.console.previews.whatsapp_styles import styled

SALE: dict[str, Any] = {
    "name": "sale",
    "language": "en",
    "category": "MARKETING",
    "components": [
        {
            "type": "HEADER",
            "format": "TEXT",
            "text": "For {{1}}",
            "example": {"header_text": ["Ada"]},
        },
        {
            "type": "BODY",
            "text": "*{{1}}* and {{2}}",
            "example": {"body_text": [["Tea", "cake"]]},
        },
        {"type": "FOOTER", "text": "Stop any time"},
        {
            "type": "BUTTONS",
            "buttons": [
                {"type": "QUICK_REPLY", "text": "Stop"},
                {
                    "type": "URL",
                    "text": "Shop",
                    "url": "https://shop.example/{{1}}",
                    "example": ["teas"],
                },
                {"type": "PHONE_NUMBER", "text": "Call", "phone_number": "+15550100"},
                {"type": "COPY_CODE", "example": "TEA10"},
            ],
        },
    ],
}


def test_a_template_is_shown_with_its_examples() -> None:
    """Header, body, footer and buttons stand in a phone's order, with the author's examples filled in."""
    said, _ = read(drawn(template_preview(SALE, sender="+15550100")))
    assert "WhatsApp +15550100 For Ada Tea and cake Stop any time Stop Replies Shop" in said
    (bubble,) = template_preview(SALE).bubbles
    assert bubble.buttons == (
        Button("Stop", "Replies"),
        Button("Shop", "Opens https://shop.example/teas"),
        Button("Call", "Calls +15550100"),
        Button("Copy code", "Copies TEA10"),
    )


def test_a_sent_template_has_the_values_of_its_send() -> None:
    """With a send's components, its values are filled in, and a missing one leaves a blank."""
    sent: list[dict[str, Any]] = [
        {"type": "body", "parameters": [{"type": "text", "text": "Coffee"}]},
        {
            "type": "button",
            "sub_type": "url",
            "index": "1",
            "parameters": [{"type": "text", "text": "beans"}],
        },
    ]
    (bubble,) = template_preview(SALE, sent).bubbles
    assert bubble.title == (Run("For "), Run("{{1}}", Style.BLANK))
    assert bubble.text == (Run("Coffee", Style.STRONG), Run(" and "), Run("{{2}}", Style.BLANK))
    assert bubble.buttons[1] == Button("Shop", "Opens https://shop.example/beans")
    assert bubble.buttons[3] == Button("Copy code", "Copies the code")


def test_a_template_of_a_code_has_metas_words() -> None:
    """Where the author gives no words, Meta's stand around the code, with its warning and its footer."""
    (bubble,) = template_preview(
        {
            "category": "authentication",
            "components": [
                {"type": "body", "add_security_recommendation": True},
                {"type": "footer", "code_expiration_minutes": 5},
                {"type": "buttons", "buttons": [{"type": "otp", "otp_type": "COPY_CODE"}]},
            ],
        },
        [{"type": "body", "parameters": [{"type": "text", "text": "482913"}]}],
    ).bubbles
    assert bubble.text == (
        Run("482913 is your verification code. For your security, do not share this code."),
    )
    assert bubble.footer == "This code expires in 5 minutes."
    assert bubble.buttons == (Button("Copy code", "Copies the code"),)


def test_a_carousel_has_cards_with_media() -> None:
    """Each card has its own medium, text and button, from its example or from the send."""
    card = {
        "components": [
            {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["med_1"]}},
            {"type": "BODY", "text": "Only {{1}}", "example": {"body_text": [["5"]]}},
        ]
    }
    carousel = {
        "components": [
            {"type": "BODY", "text": "Look"},
            {"type": "CAROUSEL", "cards": [card, card]},
        ]
    }
    first, second = template_preview(carousel).cards
    assert (first.medium, first.text) == (Medium("image", "med_1"), (Run("Only 5"),))
    sent = {
        "type": "carousel",
        "cards": [
            {
                "card_index": 1,
                "components": [{"type": "body", "parameters": [{"type": "text", "text": "7"}]}],
            }
        ],
    }
    first, second = template_preview(carousel, [sent]).cards
    assert first.text == (Run("Only "), Run("{{1}}", Style.BLANK))
    assert second.text == (Run("Only 7"),)


@pytest.mark.parametrize(
    "draft",
    [
        {},
        {"components": None, "category": 3},
        {"components": [None, 1, "x", {"type": 5}, {"type": "BUTTONS", "buttons": {"a": 1}}]},
        {"components": [{"type": "BODY", "text": 7, "example": {"body_text": ["a", 2]}}]},
        {"components": [{"type": "CAROUSEL", "cards": [None, {"components": 1}]}]},
        {"components": [{"type": "BUTTONS", "buttons": [{"type": "NONE", "text": []}]}]},
    ],
)
def test_a_draft_may_be_anything(draft: dict[str, Any]) -> None:
    """What a draft lacks, or has in a wrong type, is left out of its preview, with and without values."""
    assert "phone-whatsapp" in drawn(template_preview(draft))
    assert "phone-whatsapp" in drawn(template_preview(draft, [{"type": "body"}]))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("a *b* c", (Run("a "), Run("b", Style.STRONG), Run(" c"))),
        ("_b_", (Run("b", Style.EMPHASIS),)),
        ("~b c~.", (Run("b c", Style.STRUCK), Run("."))),
        ("```*b*```", (Run("*b*", Style.CODE),)),
        ("2 * 3 * 4", (Run("2 * 3 * 4"),)),
        ("snake_case_name", (Run("snake_case_name"),)),
        ("*never closed", (Run("*never closed"),)),
        ("", ()),
    ],
)
def test_marks_style_a_text(text: str, runs: tuple[Run, ...]) -> None:
    """Marks around words make them bold, italic, struck through or code; others are text."""
    assert styled(plain(text)) == runs


def test_a_session_message_of_each_type() -> None:
    """Texts, media with captions, replies, lists and links show what the phone showed."""
    text = session_preview(WhatsappSessionContent(type="text", body={"body": "*Hi*"}))
    assert text.bubbles[0].text == (Run("Hi", Style.STRONG),)
    image = session_preview(
        WhatsappSessionContent(
            type="image", body={"link": "https://a.example/t.png", "caption": "Tea"}
        )
    )
    assert image.bubbles[0].medium == Medium("image", "https://a.example/t.png")
    assert image.bubbles[0].text == (Run("Tea"),)
    asked = session_preview(
        WhatsappSessionContent(
            type="interactive",
            body={
                "type": "button",
                "header": {"type": "video", "video": {"id": "med_2"}},
                "body": {"text": "Well?"},
                "footer": {"text": "Thanks"},
                "action": {"buttons": [{"type": "reply", "reply": {"id": "y", "title": "Yes"}}]},
            },
        )
    ).bubbles[0]
    assert (asked.medium, asked.footer) == (Medium("video", "med_2"), "Thanks")
    assert asked.buttons == (Button("Yes", "Replies"),)


@pytest.mark.parametrize(
    ("action", "button"),
    [
        (
            {"button": "Choose", "sections": [{"rows": [{"title": "A"}, {"title": "B"}]}]},
            Button("Choose", "Shows a list: A, B", ("A", "B")),
        ),
        (
            {"parameters": {"display_text": "Go", "url": "https://a.example/"}},
            Button("Go", "Opens https://a.example/"),
        ),
        ({"name": "send_location"}, Button("Send location", "Asks for the location")),
    ],
)
def test_an_interactive_message_has_its_button(action: dict[str, Any], button: Button) -> None:
    """A list, a link and a request for the location each have one button that says what it does."""
    body = {"body": {"text": "Well?"}, "action": action}
    shown = session_preview(WhatsappSessionContent(type="interactive", body=body))
    assert shown.bubbles[0].buttons == (button,)
