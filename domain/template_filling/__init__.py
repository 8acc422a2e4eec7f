"""A message template for a send: whether it is approved, and the values that it needs (C-48)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from ..approval import ApprovalStatus
from ..errors import FieldProblem, FormProblem
from ..message import Content, RcsTemplateContent, WhatsappTemplateContent
from ..rcs_template import MessageType, RcsTemplate, with_files
from ..rcs_template import TemplateContent as RcsContent
from ..whatsapp_template import Category, WhatsappTemplate
from . import rcs_filling
from .errors import MessageTemplateNotFoundError, TemplateNotApprovedError
from .whatsapp_checking import whatsapp_problems
from .whatsapp_components import read_components
from .whatsapp_filling import whatsapp_wording, with_code_button

MessageTemplate = RcsTemplate | WhatsappTemplate

__all__ = [
    "MessageTemplate",
    "MessageTemplateNotFoundError",
    "TemplateNotApprovedError",
    "completed",
    "filled_rcs",
    "holds_code",
    "is_approved",
    "rcs_type",
    "read_components",
    "value_problems",
    "weight",
    "with_hosted_files",
    "worded",
]


def is_approved(template: MessageTemplate) -> bool:
    """Return whether messages may be sent under a template."""
    return template.status is ApprovalStatus.APPROVED


def holds_code(template: MessageTemplate) -> bool:
    """Return whether sends fill in a code: RCS type OTP, WhatsApp category AUTHENTICATION (C-23)."""
    if isinstance(template, RcsTemplate):
        return template.message_type is MessageType.OTP
    return template.category is Category.AUTHENTICATION


def value_problems(
    content: Content, template: MessageTemplate, path: str
) -> Sequence[FieldProblem]:
    """Return a problem for each value that a content, at `path`, lacks or has too many of."""
    match content, template:
        case RcsTemplateContent(params=params), RcsTemplate(content=wanted):
            # Unknown names are harmless: if one is misspelt, its placeholder lacks a value (D-110).
            left_out = sorted(rcs_filling.placeholders(wanted).keys() - params.keys())
            if left_out:
                return (FormProblem(path, f"must have a value for {', '.join(left_out)}"),)
            return ()
        case WhatsappTemplateContent(components=components), WhatsappTemplate(content=wanted):
            return whatsapp_problems(wanted, components, path)
        case _:
            return ()


def weight(content: Content, template: MessageTemplate) -> int:
    """Return how many characters a template has with a content's values."""
    match content, template:
        case RcsTemplateContent(params=params), RcsTemplate(content=wanted):
            return rcs_filling.weight(wanted, params)
        case _:
            return len(worded(content, template))


def with_hosted_files(
    template: MessageTemplate, address_of: Callable[[str], str]
) -> MessageTemplate:
    """Return a template in which the addresses of hosted media replace the uploaded files."""
    if not isinstance(template, RcsTemplate) or not template.files:
        return template
    return attrs.evolve(template, content=with_files(template.content, template.files, address_of))


def completed(content: Content, template: MessageTemplate | None) -> Content:
    """Return the content for its provider, with the code in the button too (C-26)."""
    match content, template:
        case WhatsappTemplateContent(components=components), WhatsappTemplate(content=wanted):
            return attrs.evolve(content, components=with_code_button(wanted, components))
        case _:
            return content


def filled_rcs(content: Content, template: MessageTemplate | None) -> RcsContent | None:
    """Return an RCS template filled in; None if the content uses no template."""
    match content, template:
        case RcsTemplateContent(params=params), RcsTemplate(content=wanted):
            return rcs_filling.filled(wanted, params)
        case _:
            return None


def rcs_type(template: MessageTemplate | None) -> MessageType | None:
    """Return the category of an RCS template; None if the template is none."""
    return template.message_type if isinstance(template, RcsTemplate) else None


def worded(content: Content, template: MessageTemplate | None) -> str:
    """Return the text of a content with its template filled in; empty without a template."""
    match content, template:
        case WhatsappTemplateContent(components=components), WhatsappTemplate(content=wanted):
            return whatsapp_wording(wanted, components)
        case _:
            filled = filled_rcs(content, template)
            return "" if filled is None else rcs_filling.wording(filled)
