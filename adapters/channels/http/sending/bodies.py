"""
Bodies of requests: read as JSON or as a form when the account is created, with values in leaves alone.

A value is encoded as a part of the body that was read, so no value can add a member or a field (C-63).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from attrs import frozen

from .....domain.errors import FieldProblem
from ...json_texts import json_in
from .placeholders import Filling, Placeholders, Values, has_placeholder

_DEEPEST, _MOST_FIELDS = 32, 200
_GONE = object()
Fields = Sequence[tuple[str, Filling]]


@frozen
class JsonBody:
    """A JSON document whose texts are `Filling`s."""

    document: Any
    content_type = "application/json"

    def fill(self, values: Values) -> bytes:
        """Return the body for a message; a leaf that is one empty placeholder vanishes."""
        filled = _filled(self.document, values)
        return msgspec.json.encode({} if filled is _GONE else filled)


@frozen
class FormBody:
    """A form whose values are `Filling`s."""

    fields: Fields
    content_type = "application/x-www-form-urlencoded"

    def fill(self, values: Values) -> bytes:
        """Return the body for a message; a field that is one empty placeholder vanishes."""
        return urlencode(filled_fields(self.fields, values)).encode()


def read_body(
    body: Any, field: str, placeholders: Placeholders, problems: list[FieldProblem]
) -> JsonBody | FormBody | None:
    """Read a body, which is an object, a list, or a text of JSON or of a form; note what is wrong."""
    if isinstance(body, str):
        if not body.lstrip().startswith(("{", "[")):
            fields = read_fields(body, field, placeholders, problems)
            return None if fields is None else FormBody(fields)
        body = json_in(body)
        if body is None:
            wrong = "begins like JSON and cannot be read; write each placeholder inside quotes"
            problems.append(FieldProblem(field, wrong))
            return None
    if not isinstance(body, Mapping | list | tuple):
        problems.append(
            FieldProblem(field, "must be an object, a list, or a text of JSON or a form")
        )
        return None
    return JsonBody(_read(body, field, placeholders, problems, 0))


def read_fields(
    text: str, field: str, placeholders: Placeholders, problems: list[FieldProblem]
) -> Fields | None:
    """Read a form, or the query of a URL; note what is wrong."""
    try:
        pairs = parse_qsl(
            text,
            keep_blank_values=True,
            strict_parsing=bool(text),
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except (ValueError, UnicodeError):
        problems.append(FieldProblem(field, "must be a form: name=value pairs joined by &"))
        return None
    _refuse_names([name for name, _ in pairs], field, problems)
    return [(name, placeholders.read(value, field, problems)) for name, value in pairs]


def filled_fields(fields: Fields, values: Values) -> Sequence[tuple[str, str]]:
    """Return the fields for a message, without those that vanish."""
    return [(name, each.fill(values)) for name, each in fields if not each.vanishes(values)]


def _read(
    value: Any, field: str, placeholders: Placeholders, problems: list[FieldProblem], depth: int
) -> Any:
    if depth > _DEEPEST:
        problems.append(FieldProblem(field, f"must not be deeper than {_DEEPEST} levels"))
        return None
    if isinstance(value, Mapping):
        _refuse_names(list(value), field, problems)
        return {
            name: _read(each, f"{field}.{name}", placeholders, problems, depth + 1)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            _read(each, f"{field}[{index}]", placeholders, problems, depth + 1)
            for index, each in enumerate(value)
        ]
    return placeholders.read(value, field, problems) if isinstance(value, str) else value


def _refuse_names(names: Sequence[str], field: str, problems: list[FieldProblem]) -> None:
    for name in names:
        if has_placeholder(name):
            problems.append(FieldProblem(field, "must have placeholders in values, not in names"))


def _filled(value: Any, values: Values) -> Any:
    """Return a value of the body for a message; `_GONE` if it vanishes, or all that was in it."""
    if isinstance(value, Filling):
        if value.vanishes(values):
            return _GONE
        filled = value.fill(values)
        return int(filled) if value.is_number else filled
    if isinstance(value, dict):
        members = {name: _filled(each, values) for name, each in value.items()}
        kept = {name: each for name, each in members.items() if each is not _GONE}
        return kept if kept or not value else _GONE
    if isinstance(value, list):
        entries = [each for each in (_filled(each, values) for each in value) if each is not _GONE]
        return entries if entries or not value else _GONE
    return value
