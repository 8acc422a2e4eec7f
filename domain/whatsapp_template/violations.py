"""Everything that is wrong with a WhatsApp template, at once and by its paths (C-26, D-90)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from ..errors import FieldProblem, FormProblem
from ..findings import Findings, sorted_by
from .button_rules import check_buttons, check_otp_button
from .content import (
    AuthenticationContent,
    Body,
    Buttons,
    Card,
    CardComponent,
    Carousel,
    CodeBody,
    CodeButtons,
    CodeComponent,
    CodeFooter,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    TemplateDefinition,
    TextHeader,
    WordedComponent,
    WordedContent,
)
from .text_rules import check_example, check_static, check_variables

MAX_NAME = 512
MAX_HEADER = 60
MAX_BODY = 1_024
MAX_FOOTER = 60
MAX_MINUTES = 90
MIN_CARDS, MAX_CARDS, MAX_CARD_BODY, MAX_CARD_BUTTONS = 2, 10, 160, 2
_NAME = re.compile(rf"[a-z0-9_]{{1,{MAX_NAME}}}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
# The order of Meta's documentation.
_MEMBERS = (
    "name",
    "language",
    "category",
    "components",
    "type",
    "format",
    "otp_type",
    "text",
    "add_security_recommendation",
    "code_expiration_minutes",
    "url",
    "phone_number",
    "autofill_text",
    "supported_apps",
    "package_name",
    "signature_hash",
    "example",
    "buttons",
    "cards",
)


def violations(
    definition: TemplateDefinition, *, unread: Collection[str] = ()
) -> tuple[FieldProblem, ...]:
    """
    Name every rule that a template breaks, in the order of Meta's documentation.

    Paths are those of Meta's shape (`components[1].buttons[0].url`). `unread` is for readers: paths
    at which something merely stands in for what was unreadable.
    """
    findings = Findings(unread, FormProblem)
    if not _NAME.fullmatch(definition.name):
        findings.note(
            "name", f"must have 1 to {MAX_NAME} lowercase letters (a to z), digits and underscores"
        )
    if not _LANGUAGE.fullmatch(definition.language):
        findings.note("language", "must be a language code such as en, en_US or pt_BR")
    content = definition.content
    match content:
        case WordedContent(components=components):
            _check_types(findings, components, ("BODY",))
            for index, component in enumerate(components):
                _check(findings, f"components[{index}]", component)
                beside = not isinstance(component, Body | Carousel)
                if beside and any(isinstance(each, Carousel) for each in components):
                    findings.note(
                        f"components[{index}].type", "must be BODY or CAROUSEL beside a carousel"
                    )
        case AuthenticationContent(components=parts):
            _check_types(findings, parts, ("BODY", "BUTTONS"))
            for index, part in enumerate(parts):
                _check_code_part(findings, f"components[{index}]", part)
        case _:
            assert_never(content)
    return in_order(findings.problems)


def in_order(problems: Iterable[FieldProblem]) -> tuple[FieldProblem, ...]:
    """Sort problems as Meta documents the members of a template."""
    return sorted_by(_MEMBERS, problems)


def _check_types(
    findings: Findings,
    components: Sequence[WordedComponent | CodeComponent | CardComponent],
    required: Sequence[str],
    path: str = "components",
) -> None:
    """Note components that are there twice, and those that are not there."""
    readable = [findings.read(f"{path}[{index}].type") for index in range(len(components))]
    seen: Counter[str] = Counter()
    for index, component in enumerate(components):
        if readable[index]:
            seen[component.type] += 1
            if seen[component.type] > 1:
                findings.note(f"{path}[{index}].type", f"must be the only {component.type}")
    for kind in required:
        # What could not be read may have been it.
        if not seen[kind] and all(readable):
            findings.note(path, f"must have one of type {kind}")


def _check_carousel(findings: Findings, path: str, carousel: Carousel) -> None:
    """Note what is wrong with cards, and where they are not alike, as Meta has them."""
    cards = carousel.cards
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        findings.note(
            f"{path}.cards", f"must have {MIN_CARDS} to {MAX_CARDS} cards; there are {len(cards)}"
        )
    for index, card in enumerate(cards):
        at = f"{path}.cards[{index}].components"
        _check_types(findings, card.components, ("HEADER", "BUTTONS"), at)
        for place, component in enumerate(card.components):
            if isinstance(component, Body) and len(component.text) > MAX_CARD_BODY:
                findings.note(
                    f"{at}[{place}].text", f"must have at most {MAX_CARD_BODY} characters on a card"
                )
            else:
                _check(findings, f"{at}[{place}]", component)
            if isinstance(component, MediaHeader) and component.format is HeaderFormat.DOCUMENT:
                findings.note(f"{at}[{place}].format", "must be IMAGE or VIDEO on a card")
            if isinstance(component, Buttons) and len(component.buttons) > MAX_CARD_BUTTONS:
                findings.note(
                    f"{at}[{place}].buttons", f"must have at most {MAX_CARD_BUTTONS} on a card"
                )
        if _parts(card) != _parts(cards[0]) and findings.read(at):
            findings.note(at, "must be the components of the first card, of the same kinds")


def _parts(card: Card) -> list[tuple[str, ...]]:
    """Give what cards of a carousel have in common: what there is, and of what kinds."""
    parts: list[tuple[str, ...]] = []
    for each in card.components:
        kinds: tuple[str, ...] = ()
        if isinstance(each, MediaHeader):
            kinds = (str(each.format),)
        elif isinstance(each, Buttons):
            kinds = tuple(button.type for button in each.buttons)
        parts.append((each.type, *kinds))
    return sorted(parts)


def _check(findings: Findings, path: str, component: WordedComponent) -> None:
    match component:
        case TextHeader():
            wanted = check_variables(
                findings, f"{path}.text", component.text, MAX_HEADER, most_variables=1
            )
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.header_text", component.example, wanted)
        case MediaHeader():
            check_example(findings, f"{path}.example.header_handle", component.example, 1)
        case LocationHeader():
            pass
        case Body():
            wanted = check_variables(findings, f"{path}.text", component.text, MAX_BODY)
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.body_text[0]", component.example, wanted)
        case Footer():
            check_static(findings, f"{path}.text", component.text, MAX_FOOTER)
        case Buttons():
            check_buttons(findings, f"{path}.buttons", component.buttons)
        case Carousel():
            _check_carousel(findings, path, component)
        case _:
            assert_never(component)


def _check_code_part(findings: Findings, path: str, part: CodeComponent) -> None:
    match part:
        case CodeBody():
            if part.text is not None:
                wanted = check_variables(findings, f"{path}.text", part.text, MAX_BODY)
                if wanted != 1:
                    findings.note(
                        f"{path}.text", "must have the code, {{1}}, and no other variable"
                    )
            if findings.read(f"{path}.text"):
                check_example(findings, f"{path}.example.body_text[0]", part.example, 1)
        case CodeFooter(code_expiration_minutes=minutes):
            if minutes is not None and not 1 <= minutes <= MAX_MINUTES:
                findings.note(
                    f"{path}.code_expiration_minutes", f"must be 1 to {MAX_MINUTES} minutes"
                )
        case CodeButtons():
            check_otp_button(findings, f"{path}.buttons", part.buttons)
        case _:
            assert_never(part)
