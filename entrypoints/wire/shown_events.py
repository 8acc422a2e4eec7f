"""Events and records in answers (C-38): secrets are always masked, personal data on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from typing import Any

import attrs

from ...adapters.event_store.log.event_types import EVENT_TYPES
from ...application.ports.event_store import Recorded
from ...domain.destination import masked
from ...domain.errors import FieldProblem, camel
from ...domain.event import ERASED, MASK, Event, personal_fields, secret_fields
from .codec import unstructure, wire_time

_NAMES = frozenset(name for name, _ in EVENT_TYPES)
# Personal fields with addresses, whose masked form keeps their ends (C-32).
_ADDRESSES = ("destination", "recipient", "sender")

FieldsOf = Callable[[type[attrs.AttrsInstance]], Iterable[str]]


def name_problems(names: Collection[str]) -> list[FieldProblem]:
    """Return a problem for each name that no event has."""
    problems = []
    for name in sorted(names):
        if name not in _NAMES:
            near = get_close_matches(name, _NAMES, 1)
            meant = f"; did you mean {near[0]}" if near else ""
            problems.append(FieldProblem("type", f"must be the name of an event{meant}"))
    return problems


def shown_event(recorded: Recorded, *, mask: bool) -> dict[str, Any]:
    """Return one event in its envelope."""
    person = {} if recorded.person is None else {"person": recorded.person}
    return {
        "position": recorded.position,
        "eventId": recorded.event_id,
        "streamId": recorded.stream,
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "occurredAt": wire_time(recorded.event.at),
        "actor": recorded.actor,
        "requestId": recorded.request_id,
        **person,
        "data": shown_data(recorded.event, mask=mask),
    }


def shown_data(event: Event, *, mask: bool) -> dict[str, Any]:
    """Return an event's own data; code hashes, key hashes and sealed texts are `***` (C-31)."""
    data: dict[str, Any] = unstructure(event)
    del data["at"]
    _mask_fields(data, event, personal_fields if mask else _no_fields)
    return data


def shown_record(record: attrs.AttrsInstance, *, mask: bool) -> dict[str, Any]:
    """Return a record as plain data; with `mask`, fields that its `repr` omits are masked."""
    data: dict[str, Any] = unstructure(record)
    _mask_fields(data, record, _fields_off_repr if mask else _no_fields)
    return data


def _fields_off_repr(kind: type[attrs.AttrsInstance]) -> Iterable[str]:
    return (each.name for each in attrs.fields(kind) if each.repr is False)


def _no_fields(_: type[attrs.AttrsInstance]) -> Iterable[str]:
    return ()


def _mask_fields(plain: Any, value: Any, personal: FieldsOf) -> None:
    """Mask marked fields in the plain form of a value, and in the values inside it."""
    if isinstance(value, tuple | list):
        for plain_entry, entry in zip(plain, value, strict=True):
            _mask_fields(plain_entry, entry, personal)
    if not attrs.has(type(value)) or not isinstance(plain, dict):
        return
    for each in attrs.fields(type(value)):
        if camel(each.name) in plain:
            _mask_fields(plain[camel(each.name)], getattr(value, each.name), personal)
    for name in secret_fields(type(value)):
        if plain[camel(name)] is not None:
            plain[camel(name)] = MASK
    for name in personal(type(value)):
        if plain[camel(name)] != MASK:
            plain[camel(name)] = masked_member(name, plain[camel(name)])


def masked_member(name: str, value: Any) -> Any:
    """Return a masked value of the same type."""
    if value in (None, ERASED, MASK):
        # There is nothing to mask, and a reader learns which of them it is.
        return value
    match value:
        case dict():
            return value if ERASED in value else dict.fromkeys(value, MASK)
        case list():
            return [masked_member(name, entry) for entry in value]
        case _:
            return masked(value) if name in _ADDRESSES else MASK
