"""Rules for the cards of a WhatsApp template; all cards need the same parts (C-26)."""

from __future__ import annotations

from ..findings import Findings
from .component_rules import check_component, check_types
from .content import Body, Buttons, Card, Carousel, HeaderFormat, MediaHeader

MIN_CARDS, MAX_CARDS, MAX_CARD_BODY, MAX_CARD_BUTTONS = 2, 10, 160, 2


def check_carousel(findings: Findings, path: str, carousel: Carousel) -> None:
    """Note the problems of cards, and cards that differ in their parts; Meta requires equal ones."""
    cards = carousel.cards
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        findings.note(
            f"{path}.cards", f"must have {MIN_CARDS} to {MAX_CARDS} cards; there are {len(cards)}"
        )
    for index, card in enumerate(cards):
        at = f"{path}.cards[{index}].components"
        check_types(findings, card.components, ("HEADER", "BUTTONS"), at)
        for place, component in enumerate(card.components):
            if isinstance(component, Body) and len(component.text) > MAX_CARD_BODY:
                findings.note(
                    f"{at}[{place}].text", f"must have at most {MAX_CARD_BODY} characters on a card"
                )
            else:
                check_component(findings, f"{at}[{place}]", component)
            if isinstance(component, MediaHeader) and component.format is HeaderFormat.DOCUMENT:
                findings.note(f"{at}[{place}].format", "must be IMAGE or VIDEO on a card")
            if isinstance(component, Buttons) and len(component.buttons) > MAX_CARD_BUTTONS:
                findings.note(
                    f"{at}[{place}].buttons", f"must have at most {MAX_CARD_BUTTONS} on a card"
                )
        if _parts(card) != _parts(cards[0]) and findings.read(at):
            findings.note(at, "must be the components of the first card, of the same kinds")


def _parts(card: Card) -> list[tuple[str, ...]]:
    """Return the parts that all cards of a carousel must share, with their kinds."""
    parts: list[tuple[str, ...]] = []
    for each in card.components:
        kinds: tuple[str, ...] = ()
        if isinstance(each, MediaHeader):
            kinds = (str(each.format),)
        elif isinstance(each, Buttons):
            kinds = tuple(button.type for button in each.buttons)
        parts.append((each.type, *kinds))
    return sorted(parts)
