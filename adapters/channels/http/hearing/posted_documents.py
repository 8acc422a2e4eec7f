"""The document in a post: JSON, a form or a query, in one shape whose leaves are texts (C-63)."""

from __future__ import annotations

import json
from typing import Any, NoReturn
from urllib.parse import urlsplit

from .....application.ports.channels import Post
from .....domain.errors import FieldProblem, ValidationFailedError
from .forms import form_members, is_form

# A form is one report.
LONGEST_FORM = 64 * 1024


def refuse_long_form(post: Post) -> None:
    """
    Raise `ValidationFailedError` for a form that would hold up other requests while it is read (D-244).

    Twilio's signature covers what is read in a form, so anybody can have one read.
    """
    if is_form(post) and len(post.body) > LONGEST_FORM:
        _unreadable(f"is a form of more than {LONGEST_FORM // 1024} KiB")


def posted_document(post: Post, *, query: bool) -> Any:
    """
    Return the document of a post; raises `ValidationFailedError` if it cannot be read.

    A `GET` has it in its query, which is read only where `query` allows it: most signatures do not sign
    the query. Fractions are texts, so no digit of a price or a time is lost.
    """
    if post.method == "GET":
        if not query:
            _unreadable("is not signed; the signature of this channel account signs bodies alone")
        return _members(urlsplit(post.url).query)
    if is_form(post):
        try:
            return _members(post.body.decode())
        except UnicodeDecodeError:
            _unreadable("is not a valid form")
    try:
        return json.loads(post.body, parse_float=str, parse_constant=_no_number)
    except (ValueError, RecursionError):
        _unreadable("is not valid JSON")


def _members(text: str) -> dict[str, str]:
    """Read a form or a query; of a repeated member, the last value counts."""
    try:
        return dict(form_members(text))
    except ValueError:
        _unreadable("is not a valid form")


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _unreadable(rule: str) -> NoReturn:
    raise ValidationFailedError([FieldProblem("body", rule)]) from None
