"""Reads RCS templates and their form, and reports all problems at once (SPEC 2.1 to 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

import attrs
from attrs import frozen

from ...domain.errors import FieldProblem, FormProblem, ValidationFailedError
from ...domain.rcs_template import (
    Alignment,
    Card,
    Carousel,
    Height,
    Horizontal,
    MessageOrder,
    Reply,
    RichCard,
    Suggestion,
    TemplateContent,
    TemplateDefinition,
    TemplateState,
    TextMessage,
    TextMessageWithMedia,
    UploadedFile,
    Vertical,
    Width,
    form_problems,
    in_order,
    violations,
)
from ..wire.known_members import unknown_member
from ..wire.strict_json import NotStrictJsonError, read_json
from .template_parts import OBJECT, Part, Reading, ReadTemplate

_DATA = "data"
TEXTS = (_DATA, "sender_profile_name", "update_by", "message_type")
FILES = "multimedia_files"


@frozen(kw_only=True)
class NewRcsTemplate:
    """A form without problems."""

    sender_profile: str
    update_by: str
    message_type: str
    definition: TemplateDefinition


def read_form(
    texts: Mapping[str, str],
    files: Sequence[UploadedFile] = (),
    problems: Iterable[FieldProblem] = (),
    *,
    strictly: bool = False,
) -> NewRcsTemplate:
    """
    Read the texts of a form by name, together with its files and known problems.

    Raises `ValidationFailedError`, which names all problems (C-24). With `strictly`, unknown members are
    problems too (C-93).
    """
    data, profile, author, kind = (texts.get(name) for name in TEXTS)
    read = _MISSING if data is None else read_template(data, files)
    unknown = [unknown_member(path) for path in read.ignored] if strictly else []
    found = [*problems, *read.problems, *unknown, *form_problems(profile, author, kind)]
    if found or read.definition is None or profile is None or author is None or kind is None:
        raise ValidationFailedError(in_order(found))
    return NewRcsTemplate(
        sender_profile=profile, update_by=author, message_type=kind, definition=read.definition
    )


def read_template(
    text: str, files: Sequence[UploadedFile] = ()
) -> ReadTemplate[TemplateDefinition]:
    """Read the JSON text of a create's `data`; `files` came with it (SPEC 2.1 to 2.3)."""
    try:
        raw = read_json(text)
    except NotStrictJsonError as refused:
        return ReadTemplate(None, (FieldProblem(_DATA, str(refused)),))
    if not isinstance(raw, dict):
        return ReadTemplate(None, (FieldProblem(_DATA, OBJECT),))
    reading = Reading()
    definition = _definition(Part(reading, _DATA, raw))
    unread = [problem.field for problem in reading.problems]
    found = in_order([*reading.problems, *violations(definition, files, unread=unread)])
    return ReadTemplate(None if found else definition, found, tuple(reading.ignored))


def _definition(data: Part) -> TemplateDefinition:
    name = data.text("name")
    kind = data.choice("type", _CONTENTS)
    content = _CONTENTS[kind](data) if kind else _unknown(data)
    state = data.choice("template_state", list(TemplateState), required=False)
    if kind:
        data.done()
    return TemplateDefinition(
        name=name, content=content, template_state=TemplateState(state) if state else None
    )


def _unknown(data: Part) -> TemplateContent:
    """Read the members that every type has; the placeholder text causes no problem."""
    return TextMessage(text_message_content="-", suggestions=_suggestions(data))


def _text_message(data: Part) -> TextMessage:
    return TextMessage(
        text_message_content=data.text("text_message_content"), suggestions=_suggestions(data)
    )


def _text_message_with_media(data: Part) -> TextMessageWithMedia:
    return TextMessageWithMedia(
        text_message_content=data.text("text_message_content"),
        document_url=data.optional_text("document_url"),
        document_file_name=data.optional_text("document_file_name"),
        message_order=data.word("message_order", MessageOrder),
        suggestions=_suggestions(data),
    )


def _rich_card(data: Part) -> RichCard:
    layout = _layout(data)
    card = _card(data.part("stand_alone"))
    return RichCard(layout=layout, stand_alone=card, suggestions=_suggestions(data))


def _layout(data: Part) -> Vertical | Horizontal:
    orientation = data.choice("orientation", _EXCLUDED)
    if orientation is None:
        for name, words in (("height", Height), ("alignment", Alignment)):
            data.choice(name, list(words), required=False)
        return Vertical(height=Height.SHORT_HEIGHT)
    excluded = _EXCLUDED[orientation]
    if data.given(excluded) not in (None, ""):
        data.wrong(excluded, f"must be left out where orientation is {orientation}")
    if orientation == "VERTICAL":
        return Vertical(height=data.word("height", Height))
    return Horizontal(alignment=data.word("alignment", Alignment))


def _carousel(data: Part) -> Carousel:
    cards = data.required_parts("carousel_list", _card)
    return Carousel(
        height=data.word("height", Height),
        width=data.word("width", Width),
        carousel_list=cards,
        suggestions=_suggestions(data),
    )


def _card(part: Part) -> Card:
    texts: Any = part.texts_of(Card)
    card = Card(suggestions=_suggestions(part), **texts)
    part.done()
    return card


def _suggestions(part: Part) -> tuple[Suggestion, ...] | None:
    return part.parts("suggestions", _suggestion)


def _suggestion(part: Part) -> Suggestion:
    named = part.choice("suggestion_type", _SUGGESTIONS)
    kind = _SUGGESTIONS[named] if named else Reply
    texts: Any = part.texts_of(kind)
    if named:
        part.done()
    return kind(**texts)


_MISSING = ReadTemplate[TemplateDefinition](None, (FormProblem(_DATA, "is required"),))
# The member that an orientation excludes.
_EXCLUDED: Mapping[str, str] = {"VERTICAL": "alignment", "HORIZONTAL": "height"}
_CONTENTS: Mapping[str, Callable[[Part], TemplateContent]] = {
    "text_message": _text_message,
    "text_message_with_media": _text_message_with_media,
    "rich_card": _rich_card,
    "carousel": _carousel,
}
_SUGGESTIONS: Mapping[str, type[Suggestion]] = {
    attrs.fields(kind).suggestion_type.default: kind for kind in get_args(Suggestion)
}
