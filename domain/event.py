"""The base class of all events, and the marks of fields that need care."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, get_args, get_origin

import attrs
from attrs import AttrsInstance, frozen

MASK = "***"
# Stands for a personal member after its person was erased (C-74).
ERASED = "(erased)"
_PERSONAL = "watchword.personal"
# The mark of `personal()`, for a class whose fields have positions.
PERSONAL: Mapping[str, Any] = {_PERSONAL: True}
_SECRET = "watchword.secret"  # noqa: S105  a mark, no secret


@frozen(kw_only=True)
class Event:
    """
    A fact, named in the past tense; `at` is when it happened, by the service's clock (UTC).

    Events are stored under the name of their class and `SCHEMA`, the version of their form.
    """

    SCHEMA: ClassVar[int] = 1

    at: datetime


def personal(**options: Any) -> Any:
    """Declare a field about a person: hidden in `repr`, and masked on request (C-38)."""
    return attrs.field(repr=False, **{"metadata": PERSONAL, **options})


def secret(**options: Any) -> Any:
    """Declare a field that no history shows: it is always shown as `***` (C-31)."""
    return attrs.field(repr=False, metadata={_SECRET: True}, **options)


def personal_fields(kind: type[AttrsInstance]) -> Iterator[str]:
    """Yield the names of the personal fields of an event class, or of a class of values in events."""
    return (each.name for each in attrs.fields(kind) if _PERSONAL in each.metadata)


def secret_fields(kind: type[AttrsInstance]) -> Iterator[str]:
    """Yield the names of the secret fields of an event class, or of a class of values in events."""
    return (each.name for each in attrs.fields(kind) if _SECRET in each.metadata)


def placeholder(annotation: Any, text: str) -> Any:
    """
    Return plain data of a personal field's type that stands for a value which cannot be opened.

    `text` is `ERASED` or `MASK`. A field of texts becomes this text, a mapping one with this text as its
    key and value, a list one with such an entry. So nothing that shows a field needs to know why it is
    hidden. Raises `TypeError` for another type, which no personal field may have.
    """
    origin = get_origin(annotation) or annotation
    inner = [each for each in get_args(annotation) if each is not NoneType]
    if origin in (Union, UnionType):
        return placeholder(inner[0], text)
    if origin is str or origin is Any:
        return text
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {text: text}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return [placeholder(inner[0], text)]
    raise TypeError(f"A personal field cannot have the type {annotation}.")


def is_erased(value: Any) -> bool:
    """Return whether a personal field has the placeholder of `ERASED`, in an event or in plain data."""
    if isinstance(value, str):
        return value == ERASED
    if isinstance(value, Mapping):
        return len(value) == 1 and value.get(ERASED) == ERASED
    return isinstance(value, Sequence) and len(value) == 1 and is_erased(value[0])
