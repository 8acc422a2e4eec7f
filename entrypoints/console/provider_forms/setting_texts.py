"""Values of settings as the texts of fields, and back."""

from __future__ import annotations

import json
import re
from typing import Any

from ....application.ports.channels import SettingKind
from ....domain.errors import FieldProblem
from ....domain.event import MASK
from ...wire.strict_json import NotStrictJsonError, read_json

_TRUE, _FALSE = "true", "false"
# Python reads more as numbers than JSON has: 1_000, nan, and digits of every script.
_NUMBER = re.compile(r"-?[0-9]{1,4000}(\.[0-9]{1,4000})?([eE][-+]?[0-9]{1,4})?")


def text_of(value: Any) -> str:
    """Return a value as the text of its field; a secret that stays has none."""
    match value:
        case None:
            return ""
        case str() if is_kept(value):
            return ""
        case bool():
            return _TRUE if value else _FALSE
        case str() | int() | float():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, indent=2)


def line_of(value: Any) -> str:
    """Return a value as one line for readers."""
    if isinstance(value, bool) or value is None or not isinstance(value, str | int | float):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def value_of(kind: SettingKind, text: str, path: str, problems: list[FieldProblem]) -> Any:
    """
    Return the value that a field's text stands for; add a problem for JSON that cannot be read.

    What is no number is handed on as it is: the provider says what it wants instead.
    """
    match kind:
        case SettingKind.INTEGER:
            return number_of(text)
        case SettingKind.BOOLEAN if text in (_TRUE, _FALSE):
            return text == _TRUE
        case SettingKind.JSON | SettingKind.LIST if _looks_like_json(text):
            return json_of(text, path, problems)
        case _:
            return text


def number_of(text: str) -> int | float | str:
    """Return the number that a text spells as JSON does; any other text stays as it is."""
    if not _NUMBER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:
        return float(text)


def json_of(text: str, path: str, problems: list[FieldProblem]) -> Any:
    """Return the value of a text in JSON; add a problem for any other text."""
    try:
        return read_json(text)
    except NotStrictJsonError as refused:
        problems.append(FieldProblem(path, str(refused)))
        return None


def is_kept(value: Any) -> bool:
    """Return whether a value stands for a secret that is not shown."""
    return bool(value == MASK)


def _looks_like_json(text: str) -> bool:
    # A text that begins with a placeholder is the form of a body, such as {{destination}}={{text}}.
    return text.startswith(("{", "[")) and not text.startswith("{{")
