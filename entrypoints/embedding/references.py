"""Reads the arguments of embedded calls: ids, names or records, in snake case."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from attrs import AttrsInstance, fields

from ...application.caller import EMBEDDED, Caller
from ...domain.errors import FieldProblem, ValidationFailedError, camel
from ..wired import Wired

T = TypeVar("T")


class HasId(Protocol):
    """A record; every argument that takes an id takes its record too."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


class HasPinId(Protocol):
    """The result of a create or a resend, or a PIN that a search found."""

    @property
    def pin_id(self) -> str:
        """Its id."""
        ...


Reference = str | HasId
PinReference = str | HasPinId


def id_of(reference: Reference, name: str = "id") -> str:
    """
    Return the id of a record, or the id itself.

    Raises `ValidationFailedError`, with the argument's `name`, for anything else.
    """
    found = reference if isinstance(reference, str) else getattr(reference, "id", None)
    if not isinstance(found, str):
        problem = FieldProblem(name, "must be an id, or a record that has one")
        raise ValidationFailedError([problem])
    return found


def pin_of(pin: PinReference) -> str:
    """
    Return the id of a PIN, or the id itself.

    Raises `ValidationFailedError` for anything else.
    """
    found: Any = getattr(pin, "pin_id", pin)
    return id_of(found, "pin")


def stream_of(reference: Reference | PinReference) -> str:
    """
    Return the id of a record or a PIN, or the id itself.

    Raises `ValidationFailedError` for anything else.
    """
    found: Any = getattr(reference, "pin_id", reference)
    return id_of(found, "stream")


def embedder(parts: Wired, account_id: str) -> Caller:
    """Return the caller of an embedded call, acting for an account; each call is one request."""
    return Caller(account_id, EMBEDDED, parts.randomness.new_id("req"))


async def acting_for(parts: Wired, account: Reference) -> Caller:
    """Find an account by id or name, and return the caller that acts for it."""
    by = embedder(parts, "")
    return by.acting_for(await parts.accounts.resolve(by, id_of(account, "account")))


async def calling_for(parts: Wired, account: Reference) -> Caller:
    """
    Return a caller with the rights of an account's API keys.

    Raises `AccountSuspendedError` while the account is suspended.
    """
    return await parts.accounts.calling(embedder(parts, ""), id_of(account, "account"))


async def account_filter(parts: Wired, account: Reference | None) -> str | None:
    """Return the id of the account that a list is filtered by, if any."""
    return None if account is None else (await acting_for(parts, account)).account_id


def documented(**values: Any) -> dict[str, Any]:
    """Return keyword arguments in the documented spelling, without those that are None."""
    return {camel(name): aware(name, value) for name, value in values.items() if value is not None}


def aware(name: str, value: T) -> T:
    """Return a value; raise `ValueError` for a time without a zone."""
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError(
            f"{name}= has no time zone, so nobody knows which moment it is."
            " Give one such as datetime.now(UTC)."
        )
    return value


def options_of(kind: type[AttrsInstance], options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options; raise `TypeError` if one is not a field of `kind`, as Python does."""
    known = [each.name for each in fields(kind)]
    for name in options:
        if name not in known:
            raise TypeError(f"There is no option {name!r}. There are: {', '.join(known)}.")
    return options
