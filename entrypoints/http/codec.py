"""Between bytes and plain data: JSON, strictly read, and records in the wire's spelling."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import attrs
import cattrs
import msgspec
from cattrs.gen import make_dict_unstructure_fn, override

from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ...domain.rate_limit import Duration, Rate

# Far beyond every request here; Python's own limit differs from version to version.
_MAX_DEPTH = 100
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
encode = msgspec.json.Encoder().encode


def wire_time(at: datetime) -> str:
    """Give a time as answers show it: ISO 8601, UTC, milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_json(body: bytes) -> Any:
    """
    Read a JSON body.

    Raises `ValidationFailedError` for what is no JSON, for duplicate members, for numbers that are
    none or beyond measure, and for texts that no store can hold (C-9, C-65).
    """
    try:
        text = body.decode()
        value = _decode(text)
    except UnicodeDecodeError:
        raise _malformed("must be UTF-8") from None
    except RecursionError:
        raise _deep() from None
    except _Refused as refused:
        raise _malformed(str(refused)) from None
    except json.JSONDecodeError as error:
        raise _malformed(f"is not valid JSON (line {error.lineno})") from None
    except ValueError:
        # Reading a number takes the square of its length; Python stops at 4,300 digits.
        raise _malformed("has a whole number of more than 4,300 digits") from None
    if text.count("[") + text.count("{") > _MAX_DEPTH:
        _refuse_deep(value)
    if "\\u" in text:
        _refuse_unstorable(value)
    return value


def unstructure(value: Any) -> Any:
    """Give a record as plain data in the wire's spelling."""
    return _answers.unstructure(value)


class _Refused(ValueError):
    """JSON that is well-formed but not taken."""


def _malformed(message: str) -> ValidationFailedError:
    return ValidationFailedError([FieldProblem("body", message)])


def _deep() -> ValidationFailedError:
    return _malformed(f"is nested more than {_MAX_DEPTH} levels deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # add() is None, so each name is remembered
        raise _Refused(f"has the member {twice[:100]!r} twice")
    return members


def _no_constant(name: str) -> None:
    raise _Refused(f"has {name}, which is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _Refused("has a number that is too large")
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
            if _UNSTORABLE.search(each):
                raise _malformed("has a text with \\u0000 or half a surrogate pair")
        elif isinstance(each, dict):
            waiting += each.keys()
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each


def _record_hook(kind: Any, converter: cattrs.Converter) -> Callable[[Any], dict[str, Any]]:
    attrs.resolve_types(kind)
    return make_dict_unstructure_fn(
        kind,
        converter,
        **{each.name: override(rename=camel(each.name)) for each in attrs.fields(kind)},  # type: ignore[arg-type]  # overrides are keyword arguments by field name
    )


def _answer_converter() -> cattrs.Converter:
    converter = cattrs.Converter()
    converter.register_unstructure_hook(datetime, wire_time)
    converter.register_unstructure_hook(Rate, str)
    converter.register_unstructure_hook(Duration, str)
    converter.register_unstructure_hook_factory(
        lambda kind: attrs.has(kind) and kind not in (Rate, Duration), _record_hook
    )
    return converter


_answers = _answer_converter()
_decode = json.JSONDecoder(
    object_pairs_hook=_members, parse_constant=_no_constant, parse_float=_finite
).decode
