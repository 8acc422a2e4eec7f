"""Cards of a WhatsApp template: 2 to 10, all of them alike, with nothing but a body above (D-103)."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.whatsapp_templates import BODY, stored, wrong_with
from tests.whatsapp_templates import worded as template
from watchword.domain.message import WhatsappTemplateContent
from watchword.domain.template_filling import value_problems, worded
from watchword.domain.whatsapp_template import (
    Body,
    ButtonParameter,
    Buttons,
    Card,
    CardComponent,
    Carousel,
    Footer,
    HeaderFormat,
    MediaHeader,
    Parameters,
    QuickReplyButton,
    TextHeader,
    UrlButton,
    WordedComponent,
    parameters,
)
from watchword.domain.whatsapp_template.content import header_examples

PICTURE = MediaHeader(format=HeaderFormat.IMAGE, example=("med_pot",))
FILM = MediaHeader(format=HeaderFormat.VIDEO)
SAID = Body(text="Our {{1}}.")
ORDER = UrlButton(text="Order", url="https://tea.example/{{1}}")
AGAIN = QuickReplyButton(text="Again")


def card(*parts: CardComponent) -> Card:
    """Write a card, a usual one by default."""
    return Card(components=parts or (PICTURE, SAID, Buttons(buttons=(ORDER,))))


def of(*cards: Card, beside: WordedComponent | None = None) -> list[str]:
    """Return what is wrong with a template of these cards."""
    more = () if beside is None else (beside,)
    return wrong_with(template(BODY, Carousel(cards=cards), *more))


@pytest.mark.parametrize(("number", "fits"), [(1, False), (2, True), (10, True), (11, False)])
def test_how_many_cards(number: int, fits: bool) -> None:
    """At the limits and one past them."""
    assert ([] if fits else ["components[1].cards"]) == of(*[card()] * number)


@pytest.mark.parametrize(
    ("parts", "wrong"),
    [
        ((PICTURE, Buttons(buttons=(ORDER, AGAIN))), []),
        ((PICTURE, SAID), ["components"]),
        ((SAID, Buttons(buttons=(ORDER,))), ["components"]),
        (
            (evolve(PICTURE, format=HeaderFormat.DOCUMENT), Buttons(buttons=(ORDER,))),
            ["components[0].format"],
        ),
        ((PICTURE, PICTURE, Buttons(buttons=(ORDER,))), ["components[1].type"]),
        ((PICTURE, Buttons(buttons=(AGAIN,) * 3)), ["components[1].buttons"]),
        ((PICTURE, Body(text="x" * 160), Buttons(buttons=(AGAIN,))), []),
        ((PICTURE, Body(text="x" * 161), Buttons(buttons=(AGAIN,))), ["components[1].text"]),
        ((PICTURE, Buttons(buttons=(evolve(ORDER, url="tea"),))), ["components[1].buttons[0].url"]),
    ],
)
def test_what_a_card_has(parts: tuple[CardComponent, ...], wrong: list[str]) -> None:
    """A picture or a film, and one or two buttons; a short text may stand between them."""
    paths = [f"components[1].cards[{index}].{path}" for index in (0, 1) for path in wrong]

    assert paths == of(card(*parts), card(*parts))


@pytest.mark.parametrize(
    "other",
    [
        card(FILM, SAID, Buttons(buttons=(ORDER,))),
        card(PICTURE, Buttons(buttons=(ORDER,))),
        card(PICTURE, SAID, Buttons(buttons=(AGAIN,))),
        card(PICTURE, SAID, Buttons(buttons=(ORDER, AGAIN))),
    ],
)
def test_cards_are_alike(other: Card) -> None:
    """In their parts, the kind of their media and of their buttons."""
    assert ["components[1].cards[1].components"] == of(card(), other)


@pytest.mark.parametrize(
    "beside", [TextHeader(text="Teas"), Footer(text="Bye"), Buttons(buttons=(AGAIN,))]
)
def test_nothing_but_a_body_stands_beside_cards(beside: WordedComponent) -> None:
    """Meta's rule allows nothing else."""
    assert ["components[2].type"] == of(card(), card(), beside=beside)


def test_what_cards_take() -> None:
    """Each its own medium, values and ends of addresses; examples are found on cards, too."""
    content = template(BODY, Carousel(cards=(card(), card())))
    each = Parameters(header=HeaderFormat.IMAGE, body=1, buttons={0: ButtonParameter.URL})

    assert Parameters(cards=(each, each)) == parameters(content)
    assert {
        f"components[1].cards[{index}].components[0].example.header_handle[0]": "med_pot"
        for index in (0, 1)
    } == header_examples(content)


def filled(*cards: dict[str, object]) -> WhatsappTemplateContent:
    """Write a send with these cards."""
    given = ({"type": "carousel", "cards": list(cards)},) if cards else ()
    return WhatsappTemplateContent(name="teas", language="en", components=given)


def values(index: int, tea: str) -> dict[str, object]:
    """Fill one card in."""
    link = {"type": "image", "image": {"link": "https://tea.example/pot.png"}}
    text = {"type": "text", "text": tea}
    return {
        "card_index": index,
        "components": [
            {"type": "header", "parameters": [link]},
            {"type": "body", "parameters": [text]},
            {"type": "button", "sub_type": "url", "index": "0", "parameters": [text]},
        ],
    }


TEAS = stored(template(BODY, Carousel(cards=(card(), card()))))


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [
        ([values(1, "assam"), values(0, "oolong")], []),
        ([], [""]),
        ([values(0, "oolong")], ["[0].cards"]),
        ([values(0, "oolong")] * 2, ["[0].cards"]),
        ([values(0, "oolong"), values(1, "assam"), values(2, "mate")], ["[0].cards"]),
        (
            [values(0, "oolong"), {"card_index": 1, "components": []}],
            ["[0].cards[1].components"] * 3,
        ),
    ],
)
def test_every_card_is_filled_in(cards: list[dict[str, object]], wrong: list[str]) -> None:
    """Exactly, and by its number."""
    found = value_problems(filled(*cards), TEAS, "components")

    assert [f"components{path}" for path in wrong] == [each.field for each in found]


def test_cards_read_one_after_the_other() -> None:
    """They are in the template's order, with their media and addresses."""
    said = worded(filled(values(1, "assam"), values(0, "oolong")), TEAS)
    pot = "https://tea.example/pot.png"

    assert said.endswith(
        f"{pot}\nOur oolong.\n[Order] https://tea.example/oolong\n"
        f"{pot}\nOur assam.\n[Order] https://tea.example/assam"
    )
