"""The base class of all events, and the marks of fields that need care."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar

import attrs
from attrs import AttrsInstance, frozen

MASK = "***"
# Stands for a personal member after its person was erased (C-74).
ERASED = "(erased)"
_PERSONAL = "watchword.personal"
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
    return attrs.field(repr=False, metadata={_PERSONAL: True}, **options)


def secret(**options: Any) -> Any:
    """Declare a field that no history shows: it is always shown as `***` (C-31)."""
    return attrs.field(repr=False, metadata={_SECRET: True}, **options)


def personal_fields(kind: type[AttrsInstance]) -> Iterator[str]:
    """Yield the names of the personal fields of an event class, or of a class of values in events."""
    return (each.name for each in attrs.fields(kind) if _PERSONAL in each.metadata)


def secret_fields(kind: type[AttrsInstance]) -> Iterator[str]:
    """Yield the names of the secret fields of an event class, or of a class of values in events."""
    return (each.name for each in attrs.fields(kind) if _SECRET in each.metadata)
