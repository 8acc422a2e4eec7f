"""Texts of a template: their limits, and how much of them is the author's own (SPEC section 8, C-57)."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tests.rcs_templates import CARD, CAROUSEL, MEDIA, REPLY, RICH_CARD, TEXT, wrong_with
from watchword.domain.rcs_template import Card, TextMessage


def text(content: str) -> TextMessage:
    """Return a template of one text."""
    return TextMessage(text_message_content=content)


def card(title: str, description: str) -> Card:
    """Return a card with these texts."""
    return evolve(CARD, card_title=title, card_description=description)


@pytest.mark.parametrize("name", ["t", "T_9", "a" * 20])
def test_a_name(name: str) -> None:
    """1 to 20 ASCII letters, digits and underscores."""
    assert [] == wrong_with(TEXT, name=name)


@pytest.mark.parametrize("name", ["", "a" * 21, "a-b", "a b", "caf\u00e9", "\u0661", "teas\n"])
def test_what_is_no_name(name: str) -> None:
    """Nothing else."""
    assert ["data.name"] == wrong_with(TEXT, name=name)


@pytest.mark.parametrize("content", [TEXT, MEDIA])
def test_a_message_has_2500_characters(content: TextMessage) -> None:
    """At the limit, and one past it, with a placeholder as it is written."""
    at_the_limit = "[name]" + "a" * 2494

    assert [] == wrong_with(evolve(content, text_message_content=at_the_limit))
    assert ["data.textMessageContent"] == wrong_with(
        evolve(content, text_message_content=at_the_limit + "a")
    )


@pytest.mark.parametrize(("field", "most"), [("card_title", 200), ("card_description", 2000)])
def test_the_texts_of_a_card(field: str, most: int) -> None:
    """On a rich card and on each card of a carousel."""
    words: list[dict[str, Any]] = [{field: "a" * number} for number in (most, most + 1)]
    fits, long = (evolve(CARD, **word) for word in words)
    name = "cardTitle" if field == "card_title" else "cardDescription"

    assert [] == wrong_with(evolve(RICH_CARD, stand_alone=fits))
    assert [] == wrong_with(evolve(CAROUSEL, carousel_list=(fits, fits)))
    assert [f"data.standAlone.{name}"] == wrong_with(evolve(RICH_CARD, stand_alone=long))
    assert [f"data.carouselList[1].{name}"] == wrong_with(
        evolve(CAROUSEL, carousel_list=(fits, long))
    )


@pytest.mark.parametrize(
    ("field", "most", "name"), [("display_text", 25, "displayText"), ("postback", 120, "postback")]
)
def test_the_texts_of_a_button(field: str, most: int, name: str) -> None:
    """At the limit, and one past it."""
    words: list[dict[str, Any]] = [
        {field: "[n]" + "a" * (number - 3)} for number in (most, most + 1)
    ]
    fits, long = (evolve(TEXT, suggestions=(evolve(REPLY, **word),)) for word in words)

    assert [] == wrong_with(fits)
    assert [f"data.suggestions[0].{name}"] == wrong_with(long)


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_required_text_says_something(blank: str) -> None:
    """Blanks alone are no text."""
    assert ["data.textMessageContent"] == wrong_with(text(blank))
    assert ["data.standAlone.cardTitle"] == wrong_with(
        evolve(RICH_CARD, stand_alone=card(blank, "Rolled by hand."))
    )
    assert ["data.suggestions[0].postback"] == wrong_with(
        evolve(TEXT, suggestions=(evolve(REPLY, postback=blank),))
    )


@pytest.mark.parametrize("character", ["\u00e9", "\u4e2d", "\U0001f375", "\u0301"])
def test_a_character_is_a_code_point(character: str) -> None:
    """Bytes, UTF-16 units and neighbouring characters do not matter (D-81)."""
    assert [] == wrong_with(text(character * 2500))
    assert ["data.textMessageContent"] == wrong_with(text(character * 2501))


def test_an_emoji_of_several_parts_counts_each() -> None:
    """A family of three with its two joiners has five characters (D-81)."""
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    assert [] == wrong_with(text(family * 500))
    assert ["data.textMessageContent"] == wrong_with(text(family * 500 + "a"))


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("[n]1234567", True),
        ("[n]123456", False),
        ("[n]" * 3 + "a" * 21, True),
        ("[n]" * 3 + "a" * 20, False),
        ("[name]", False),
        ("[n]       ", True),
        # Text outside placeholders is static.
        ("[first name]", True),
        ("[]", True),
        ("{{1}}", True),
        ("[pr\u00e9nom]", True),
        ("[[n]]1234", False),
        ("[[n]]12345", True),
    ],
)
def test_seventy_percent_are_static(content: str, kept: bool) -> None:
    """Exactly 70 % is enough; a placeholder is letters, digits and underscores in brackets."""
    assert ([] if kept else ["data.textMessageContent"]) == wrong_with(text(content))


def test_title_and_description_are_one_text() -> None:
    """One may be all placeholders if the other makes up for it; the description is named (C-57)."""
    enough, too_few = card("[n]", "1234567"), card("[n]", "123456")

    assert [] == wrong_with(evolve(RICH_CARD, stand_alone=enough))
    assert ["data.standAlone.cardDescription"] == wrong_with(evolve(RICH_CARD, stand_alone=too_few))
    assert ["data.carouselList[0].cardDescription"] == wrong_with(
        evolve(CAROUSEL, carousel_list=(too_few, enough))
    )


def test_one_text_can_break_two_rules() -> None:
    """Both violations are named."""
    path = "data.textMessageContent"

    assert [path, path] == wrong_with(text("[name]" * 500))


def test_nothing_is_said_of_texts_that_were_not_read() -> None:
    """A description is not judged beside an unreadable title."""
    few = evolve(RICH_CARD, stand_alone=card("", "[n]123456"))

    assert [] == wrong_with(few, unread=("data.stand_alone.card_title",))
    assert [] == wrong_with(few, unread=("data.stand_alone",))
