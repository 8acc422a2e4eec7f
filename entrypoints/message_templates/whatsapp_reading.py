"""Reads WhatsApp templates in Meta's shape, and reports all problems at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...domain.errors import FieldProblem, FormProblem, ValidationFailedError
from ...domain.whatsapp_template import (
    AuthenticationContent,
    Category,
    TemplateContent,
    TemplateDefinition,
    WordedContent,
    in_order,
    violations,
)
from ..wire.strict_json import NotStrictJsonError, read_json
from .template_parts import OBJECT, Part, Reading, ReadTemplate
from .whatsapp_components import code_component, worded_component

Read = ReadTemplate[TemplateDefinition]

_BODY = "body"


def read_template(body: Any) -> Read:
    """Read the decoded body of a create (C-26)."""
    if not isinstance(body, dict):
        return ReadTemplate(None, (FieldProblem(_BODY, OBJECT),))
    category = Reading(word=str.upper)
    named = Part(category, "", body).choice("category", list(Category))
    if named is not None:
        return _read(body, _CONTENTS[Category(named)])
    # Without a category, report the problems of the kind with the fewest.
    either = (_read(body, content) for content in (_worded, _of_a_code))
    return min(either, key=lambda read: len(read.problems))


def read_template_text(text: str) -> Read:
    """Read a template from its JSON text."""
    try:
        return read_template(read_json(text))
    except NotStrictJsonError as refused:
        return ReadTemplate(None, (FieldProblem(_BODY, str(refused)),))


def template_definition(body: Any) -> TemplateDefinition:
    """Return the template of a create; raises `ValidationFailedError`, which names every problem."""
    read = read_template(body)
    if read.definition is None:
        raise ValidationFailedError(read.problems)
    return read.definition


def _read(body: dict[str, Any], content: Callable[[Part], TemplateContent]) -> Read:
    # Meta's words are accepted in any case, as Meta does, and stored in upper case (D-89).
    reading = Reading(spelled=str, problem=FormProblem, word=str.upper)
    whole = Part(reading, "", body)
    definition = TemplateDefinition(
        name=whole.text("name"), language=whole.text("language"), content=content(whole)
    )
    whole.done()
    unread = [problem.field for problem in reading.problems]
    found = in_order([*reading.problems, *violations(definition, unread=unread)])
    return ReadTemplate(None if found else definition, found, tuple(reading.ignored))


def _worded(whole: Part) -> TemplateContent:
    category = whole.choice("category", list(Category))
    return WordedContent(
        category=Category.MARKETING if category == Category.MARKETING else Category.UTILITY,
        components=whole.required_parts("components", worded_component),
    )


def _of_a_code(whole: Part) -> TemplateContent:
    whole.choice("category", list(Category))
    return AuthenticationContent(components=whole.required_parts("components", code_component))


_CONTENTS = {
    Category.UTILITY: _worded,
    Category.MARKETING: _worded,
    Category.AUTHENTICATION: _of_a_code,
}
