"""The base of all requests and answers (D-532): spelling on the wire, and a repr without personal data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import fields

# Codes, texts and people's addresses are left out of every repr, and so of logs and tracebacks.
_HIDDEN = frozenset(
    {
        "body",
        "caption",
        "context",
        "cust_refs",
        "custom_params",
        "destination",
        "message_body",
        "pin",
        "receipt",
        "recipient",
        "recipients",
        "reference_id",
        "tags",
        "template_params",
        "text",
    }
)


class Wire(Struct, frozen=True, kw_only=True):
    """A value whose members have the same names on the wire as here."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(_shown(self))})"


class CamelWire(Wire, frozen=True, kw_only=True, rename="camel"):
    """A value whose members are spelled in camelCase on the wire."""


def _shown(value: Struct) -> Iterator[str]:
    for each in fields(value):
        worth = getattr(value, each.name)
        if worth is not None and worth != ():
            yield f"{each.name}={'…' if each.name in _HIDDEN else repr(worth)}"


def members(request: Struct) -> dict[str, Any]:
    """Return a request as it goes out: wire names, times as text, and no member that is None."""
    plain = to_builtins(request)
    assert isinstance(plain, dict)  # noqa: S101  a struct of ours is never an array
    return {name: _without_none(value) for name, value in plain.items() if value is not None}


def _without_none(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_none(each) for name, each in value.items() if each is not None}
        case list():
            return [_without_none(each) for each in value]
        case _:
            return value
