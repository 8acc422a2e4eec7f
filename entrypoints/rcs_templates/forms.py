"""The form that creates an RCS template, judged as a whole (SPEC 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from ...domain.errors import FieldProblem, FormProblem, ValidationFailedError
from ...domain.rcs_template import TemplateDefinition, UploadedFile, form_problems, in_order
from ..template_parts import ReadTemplate
from .reading import read_template

TEXTS = ("data", "sender_profile_name", "update_by", "message_type")
FILES = "multimedia_files"


@frozen(kw_only=True)
class NewRcsTemplate:
    """A form in which nothing is wrong."""

    sender_profile: str
    update_by: str
    message_type: str
    definition: TemplateDefinition


def read_form(
    texts: dict[str, str],
    files: Sequence[UploadedFile] = (),
    problems: Iterable[FieldProblem] = (),
) -> NewRcsTemplate:
    """
    Read the texts of a form by their names, which came with these files and problems.

    Raises `ValidationFailedError` naming everything that is wrong with any of it (C-24).
    """
    data, profile, author, kind = (texts.get(name) for name in TEXTS)
    missing: ReadTemplate[TemplateDefinition] = ReadTemplate(
        None, (FormProblem("data", "is required"),)
    )
    read = missing if data is None else read_template(data, files)
    found = [*problems, *read.problems, *form_problems(profile, author, kind)]
    if found or read.definition is None or profile is None or author is None or kind is None:
        raise ValidationFailedError(in_order(found))
    return NewRcsTemplate(
        sender_profile=profile, update_by=author, message_type=kind, definition=read.definition
    )
