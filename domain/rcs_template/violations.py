"""All violations of a template's rules, by their paths (SPEC 2.1 to 2.3, section 8, C-24)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import assert_never

from ..errors import FieldProblem, FormProblem
from ..findings import Findings, check_text
from ..limits import NO_CONTROLS, has_controls
from .content import (
    Card,
    Carousel,
    MessageType,
    RichCard,
    TemplateDefinition,
    TextMessage,
    TextMessageWithMedia,
    UploadedFile,
)
from .media_rules import Uploads, check_card_media, check_medium
from .member_order import in_order
from .suggestion_rules import check_number, check_suggestions
from .text_rules import (
    MAX_CARD_DESCRIPTION,
    MAX_CARD_TITLE,
    MAX_TEXT_MESSAGE,
    check_static_text,
)

MAX_NAME = 20
MAX_SENDER_PROFILE = 64
MAX_UPDATE_BY = 200
MAX_SUGGESTIONS = 11
MAX_CARD_SUGGESTIONS = 4
MIN_CARDS = 2
MAX_CARDS = 10
# An unreadable value at such a path may have named a file.
_MAY_NAME_FILES = re.compile(r"(^data\.type|\.stand_alone|\.carousel_list(\[[0-9]+\])?|file_name)$")
NAME = re.compile(rf"[A-Za-z0-9_]{{1,{MAX_NAME}}}")


def violations(
    definition: TemplateDefinition,
    files: Sequence[UploadedFile] = (),
    *,
    unread: Collection[str] = (),
) -> tuple[FieldProblem, ...]:
    """
    Return every rule that a template breaks, in the order of the specification's tables.

    Paths begin with `data`, the template's place in the create; a problem's `path` has the spelling of
    the wire (`data.carouselList[2].cardTitle`). `files` are those that come with the template. `unread`
    are paths, such as `data.name`, at which a reader put a stand-in for an unreadable value.
    """
    findings = Findings(unread)
    uploads = Uploads(files)
    if not NAME.fullmatch(definition.name):
        findings.note(
            "data.name", f"must have 1 to {MAX_NAME} letters (A to Z), digits and underscores"
        )
    content = definition.content
    check_suggestions(findings, "data.suggestions", content.suggestions)
    match content:
        case TextMessage():
            _check_message(findings, content)
        case TextMessageWithMedia():
            _check_message(findings, content)
            check_medium(
                findings,
                uploads,
                "data.document_url",
                content.document_url,
                {"data.document_file_name": content.document_file_name},
            )
        case RichCard():
            _check_card(findings, "data.stand_alone", content.stand_alone, uploads)
            _check_card_suggestions(findings, content)
        case Carousel():
            _check_carousel(findings, content, uploads)
        case _:
            assert_never(content)
    named_all = not any(map(_MAY_NAME_FILES.search, unread))
    return in_order([*findings.problems, *(uploads.problems() if named_all else ())])


def form_problems(
    sender_profile: str | None, update_by: str | None, message_type: str | None
) -> Iterator[FormProblem]:
    """Yield the problems of the form around a template; None is a missing field (SPEC 2.1)."""
    for name, value, most in (
        ("sender_profile_name", sender_profile, MAX_SENDER_PROFILE),
        ("update_by", update_by, MAX_UPDATE_BY),
    ):
        if value is None:
            yield FormProblem(name, "is required")
        elif not value.strip() or len(value) > most:
            yield FormProblem(name, f"must have 1 to {most} characters")
        elif has_controls(value):
            yield FormProblem(name, NO_CONTROLS)
    if message_type is None:
        yield FormProblem("message_type", "is required")
    elif message_type_of(message_type) is None:
        yield message_type_problem()


def message_type_of(text: str) -> MessageType | None:
    """Return the message type with this name, in any case; None if there is none."""
    return next((each for each in MessageType if each.casefold() == text.casefold()), None)


def message_type_problem() -> FormProblem:
    """Return the problem of an unknown message type."""
    return FormProblem("message_type", f"must be one of {', '.join(MessageType)}")


def _check_message(findings: Findings, message: TextMessage | TextMessageWithMedia) -> None:
    path, text = "data.text_message_content", message.text_message_content
    check_text(findings, path, text, MAX_TEXT_MESSAGE)
    check_static_text(findings, path, text)
    check_number(findings, "data.suggestions", len(message.suggestions or ()), MAX_SUGGESTIONS)


def _check_card(findings: Findings, path: str, card: Card, uploads: Uploads) -> None:
    title, description = f"{path}.card_title", f"{path}.card_description"
    check_card_media(findings, path, card, uploads)
    check_text(findings, title, card.card_title, MAX_CARD_TITLE)
    check_text(findings, description, card.card_description, MAX_CARD_DESCRIPTION)
    if findings.read(title):
        check_static_text(findings, description, card.card_title, card.card_description)
    check_suggestions(findings, f"{path}.suggestions", card.suggestions)


def _check_card_suggestions(findings: Findings, rich_card: RichCard) -> None:
    """Note too many buttons on a rich card, which has two lists of them (C-57)."""
    on_card, beside = rich_card.stand_alone.suggestions or (), rich_card.suggestions or ()
    path = "data.stand_alone.suggestions" if on_card else "data.suggestions"
    where = ", those of data.suggestions included" if on_card and beside else ""
    check_number(findings, path, len(on_card) + len(beside), MAX_CARD_SUGGESTIONS, where)


def _check_carousel(findings: Findings, carousel: Carousel, uploads: Uploads) -> None:
    cards = carousel.carousel_list
    if not MIN_CARDS <= len(cards) <= MAX_CARDS:
        findings.note("data.carousel_list", f"must have {MIN_CARDS} to {MAX_CARDS} cards")
    for index, card in enumerate(cards):
        path = f"data.carousel_list[{index}]"
        _check_card(findings, path, card, uploads)
        number = len(card.suggestions or ())
        check_number(findings, f"{path}.suggestions", number, MAX_CARD_SUGGESTIONS)
    check_number(findings, "data.suggestions", len(carousel.suggestions or ()), MAX_SUGGESTIONS)
