"""Sends of the legacy platform in Meta's form (C-43, D-103)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.entrypoints.legacy.bodies import AGAIN, CALL, OPEN, PAPER, PICTURE, TEXT
from watchword.domain.whatsapp_template import (
    Body,
    Buttons,
    Card,
    Carousel,
    Category,
    PhoneNumberButton,
    QuickReplyButton,
    UrlButton,
    WordedComponent,
    WordedContent,
)
from watchword.entrypoints.legacy.components import components
from watchword.entrypoints.legacy.send_bodies import read_send
from watchword.entrypoints.messaging.problems import Problems

ORDER = UrlButton(text="Order", url="https://tea.example/order/{{1}}")
LOOK = UrlButton(text="Look", url="https://tea.example/")
DIAL = PhoneNumberButton(text="Call us", phone_number="+15550100")
REPLY = QuickReplyButton(text="Again")


def template(*parts: WordedComponent) -> WordedContent:
    """Write a template with other parts than its body."""
    body = Body(text="Hello {{1}}, your order {{2}} is on its way.")
    return WordedContent(category=Category.UTILITY, components=(body, *parts))


def made(*parts: WordedComponent, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    """Read a send with other members, and return its components under a template with these parts."""
    problems = Problems()
    wanted = read_send({**TEXT, **more}, problems)
    assert wanted is not None, problems.found
    assert [] == problems.found
    return list(components(wanted, template(*parts)))


def text(value: str) -> dict[str, Any]:
    """Write a value as a parameter."""
    return {"type": "text", "text": value}


BODY = ("bodyVariables", {"type": "body", "parameters": [text("Asha"), text("A-1")]})


def test_a_text_has_its_values_in_the_order_of_their_positions() -> None:
    """This holds in the header and in the body."""
    given = {str(position): f"v{position}" for position in (2, 10, 1, *range(3, 10))}
    (header, body) = made(headerVariables={"1": "Tea"}, bodyVariables=given)

    assert ("headerVariables", {"type": "header", "parameters": [text("Tea")]}) == header
    assert [text(f"v{position}") for position in range(1, 11)] == body[1]["parameters"]


@pytest.mark.parametrize(
    ("given", "places"),
    [
        ([OPEN], [("buttons[0]", "2")]),
        ([AGAIN, OPEN], [("buttons[0]", "3"), ("buttons[1]", "2")]),
        ([{**OPEN, "text": "Buy"}], [("buttons[0]", "2")]),
        ([{**OPEN, "text": None}, {**OPEN, "text": None}], [("buttons[0]", "2")]),
        ([{**OPEN, "text": "Buy"}, {**OPEN, "text": "Look"}], [("buttons[0]", "2")]),
        ([{**AGAIN, "text": None}], [("buttons[0]", "3")]),
        ([AGAIN, AGAIN], [("buttons[0]", "3"), ("buttons[1]", "1")]),
    ],
    ids=["alone", "turned", "mislabelled", "unlabelled", "left over", "by type", "too many"],
)
def test_buttons_find_their_places(
    given: list[dict[str, Any]], places: list[tuple[str, str]]
) -> None:
    """They are matched by type and label, else by type, else by their own place."""
    there = Buttons(buttons=(DIAL, LOOK, ORDER, REPLY))
    (_, *buttons) = made(there, buttons=given)

    assert places == [(name, button["index"]) for name, button in buttons]


@pytest.mark.parametrize(
    ("media", "parameter"),
    [
        (PICTURE, {"type": "image", "image": {"link": PICTURE["url"]}}),
        (
            {**PICTURE, "type": "VIDEO", "name": "pot.mp4"},
            {"type": "video", "video": {"link": PICTURE["url"]}},
        ),
        (
            PAPER,
            {"type": "document", "document": {"link": PAPER["url"], "filename": "Teas.pdf"}},
        ),
        (
            {"type": "DOC", "url": PAPER["url"]},
            {"type": "document", "document": {"link": PAPER["url"]}},
        ),
    ],
    ids=["image", "video", "document", "unnamed"],
)
def test_a_medium_is_the_header(media: dict[str, Any], parameter: dict[str, Any]) -> None:
    """Under Meta's names; that of a file is a document's alone."""
    assert [("media", {"type": "header", "parameters": [parameter]}), BODY] == made(media=media)


def test_buttons_are_told_by_their_places() -> None:
    """A number to dial, and any button without a payload, is the template's own."""
    there = Buttons(buttons=(DIAL, LOOK, ORDER, REPLY))
    (_, *buttons) = made(there, buttons=[CALL, {**OPEN, "text": "Look"}, OPEN, AGAIN])

    assert [
        (
            "buttons[2]",
            {"type": "button", "sub_type": "url", "index": "2", "parameters": [text("oolong")]},
        ),
        (
            "buttons[3]",
            {
                "type": "button",
                "sub_type": "quick_reply",
                "index": "3",
                "parameters": [{"type": "payload", "payload": "again"}],
            },
        ),
    ] == buttons


@pytest.mark.parametrize(
    ("payload", "end"),
    [
        ("oolong", "oolong"),
        ("https://tea.example/order/oolong", "oolong"),
        (None, None),
        ("", None),
    ],
)
def test_a_whole_address_is_taken_for_its_end(payload: str | None, end: str | None) -> None:
    """The template has the rest; without a payload there is nothing to say."""
    (_, *buttons) = made(Buttons(buttons=(ORDER,)), buttons=[{**OPEN, "payload": payload}])

    assert ([] if end is None else [[text(end)]]) == [each["parameters"] for _, each in buttons]


def test_cards_are_one_carousel() -> None:
    """Each with its medium, values and buttons, in the order given."""
    cards = [
        {"media": PICTURE, "bodyVariables": {"1": "Oolong"}, "buttons": [OPEN]},
        {"media": {**PICTURE, "type": "VIDEO"}},
    ]
    card = Card(components=(Buttons(buttons=(ORDER,)),))
    (_, (field, carousel)) = made(Carousel(cards=(card, card)), cards=cards)
    (first, second) = carousel["cards"]

    assert ("cards", "carousel") == (field, carousel["type"])
    assert [0, 1] == [each["card_index"] for each in carousel["cards"]]
    assert ["header", "body", "button"] == [each["type"] for each in first["components"]]
    assert ["video"] == [each["parameters"][0]["type"] for each in second["components"]]
