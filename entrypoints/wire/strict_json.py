"""Reads JSON strictly: refuses anything that two parsers could read differently (C-9, C-65, D-23)."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec

from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import UNSTORABLE

# Far more than any request needs. Python's own limit differs between versions.
_MAX_DEPTH = 100
# Python code checks each object for duplicate members: a megabyte of objects took a second. And the result
# is freed at once: freeing a megabyte of lists blocked the event loop for 30 ms.
_MAX_OBJECTS = 50_000
_BLANKS = " \t\n\r"


def parse_json(body: bytes) -> Any:
    """Read a JSON body; raises `ValidationFailedError` for `body` if `read_json` refuses it."""
    members = _plain_members(body)
    if members is not None:
        return members
    try:
        return read_json(body.decode())
    except UnicodeDecodeError:
        raise _malformed("must be UTF-8") from None
    except NotStrictJsonError as refused:
        raise _malformed(str(refused)) from None


def _plain_members(body: bytes) -> dict[str, Any] | None:
    """
    Read one flat object, as most bodies are, in half the time (measured); return None for others.

    `_plain` accepts two things that must be refused. A text with an escape may be one that no store
    can hold. A duplicate member leaves more colons than members. A body with an inner object is not
    flat, so it is not tried.
    """
    if b"\\" in body or body.count(b"{") != 1:
        return None
    try:
        members = _plain.decode(body)
    except ValueError:
        return None
    return members if len(members) == body.count(b":") else None


def read_json(text: str) -> Any:
    """
    Read a JSON text.

    Raises `NotStrictJsonError` for malformed JSON, duplicate members, invalid or too large numbers, deep
    nesting, too many objects, and texts that no store can hold.
    """
    objects = text.count("{") + text.count("[")
    if objects > _MAX_OBJECTS:
        raise NotStrictJsonError(f"has more than {_MAX_OBJECTS:,} objects and lists")
    try:
        value = _decoded(text)
    except RecursionError:
        raise _deep() from None
    except NotStrictJsonError:
        raise
    except json.JSONDecodeError as error:
        raise NotStrictJsonError(f"is not valid JSON (line {error.lineno})") from None
    except ValueError:
        # Parsing an integer takes time quadratic in its length, so Python stops at 4,300 digits.
        raise NotStrictJsonError("has a whole number of more than 4,300 digits") from None
    if objects > _MAX_DEPTH:
        _refuse_deep(value)
    if "\\u" in text:
        _refuse_unstorable(value)
    return value


def as_from_json(value: Any) -> Any:
    """
    Return an embedder's data as if it came in a body.

    Raises `ValidationFailedError` for `body` if JSON cannot express the data.
    """
    return parse_json(json_text(value).encode())


def json_text(value: Any) -> str:
    """Return an embedder's data as JSON; raises `ValidationFailedError` if JSON cannot express it."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise _malformed("must be what JSON can say: objects, lists, texts, numbers") from None


class NotStrictJsonError(ValueError):
    """A text is malformed JSON, or JSON that is refused; the message says why."""


def _malformed(message: str) -> ValidationFailedError:
    return ValidationFailedError([FieldProblem("body", message)])


def _decoded(text: str) -> Any:
    # The same as `decode`, which finds the blanks with slower regular expressions.
    value, end = _decoder.raw_decode(text, len(text) - len(text.lstrip(_BLANKS)))
    if rest := text[end:].lstrip(_BLANKS):
        raise json.JSONDecodeError("Extra data", text, len(text) - len(rest))
    return value


def _deep() -> NotStrictJsonError:
    return NotStrictJsonError(f"is nested more than {_MAX_DEPTH} levels deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add() is None, so each name is remembered
        raise NotStrictJsonError(f"has the member {twice[:100]!r} twice")
    return members


def _no_constant(name: str) -> None:
    raise NotStrictJsonError(f"has {name}, which is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotStrictJsonError("has a number that is too large")
    return number


def _refuse_deep(value: Any) -> None:
    level = [value]
    for _ in range(_MAX_DEPTH):
        within = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for held in within for each in held if isinstance(each, dict | list)]
        if not level:
            return
    raise _deep()


def _refuse_unstorable(value: Any) -> None:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if UNSTORABLE.search(each):
                raise NotStrictJsonError("has a text with \\u0000 or half a surrogate pair")
        elif isinstance(each, dict):
            waiting += each.keys()
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


_plain = msgspec.json.Decoder(dict[str, str | list[str] | bool | None])
_decoder = json.JSONDecoder(
    object_pairs_hook=_members, parse_constant=_no_constant, parse_float=_finite
)
