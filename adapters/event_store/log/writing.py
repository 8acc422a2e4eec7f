"""Writes events into their stored form of three lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

import msgspec

from ....application.records import RECORDS
from ....application.records.record import Record, account_of, person_of
from ....domain.event import Event
from ...vault import Vault
from .converting import event_converter
from .lines import owner_of, sealed_line
from .members import Members, Plain, members_of

_RECORDS: Mapping[type[Event], Record[Any]] = {
    event: record for record in RECORDS for event in record.decider.events
}


class EventForm(NamedTuple):
    """How events of one class are written."""

    topic: str
    plain: Callable[[Event], Plain]
    members: Members | None
    account: Callable[[str, Any], str | None]
    person: Callable[[Any, Any], str | None]


class Written(NamedTuple):
    """An event in plain data: its open line, the members to seal by owner, and its secret line."""

    open: bytes
    owner: str
    sealed: Mapping[str, Plain]
    secret: bytes


class EventWriter:
    """Writes events; what is personal in them is sealed under the keys that the vault remembers."""

    def __init__(self, vault: Vault, types: Mapping[tuple[str, int], type[Event]]) -> None:
        self._vault = vault
        converter = event_converter(frozenset(types.values()))
        self._forms = {
            kind: _form(f"{name}/{schema}", kind, converter.get_unstructure_hook(kind))
            for (name, schema), kind in types.items()
        }
        self.encode = msgspec.json.Encoder().encode

    def form(self, kind: type[Event]) -> EventForm:
        """Return how events of a class are written."""
        return self._forms[kind]

    def sealed(self, event_id: str, written: Written) -> bytes:
        """
        Return an event in its stored form.

        Raises `KeyError` if the vault does not remember the key of an owner in `written.sealed`.
        """
        opened, owner, members, secret = written
        sealed = {
            each: self._vault.seal(each, event_id, self.encode(of_each))
            for each, of_each in members.items()
        }
        return b"\n".join((opened, sealed_line(sealed, owner) if sealed else b"", secret))

    def written(
        self, stream: str, event: Event, envelope: Plain, erased: Collection[str] = ()
    ) -> Written:
        """
        Return an event of a stream before it is sealed, in the envelope that `envelope_of` returned.

        What belongs to `erased` owners is left out, and reads as erased.
        """
        form = self._forms[type(event)]
        plain = envelope["data"] = form.plain(event)
        owner = owner_of(stream, envelope["account"], envelope.get("person"))
        sealed: Mapping[str, Plain] = {}
        secret: Plain = {}
        if form.members is not None:
            sealed, secret = form.members.split(plain, owner, erased)
        encode = self.encode
        return Written(encode(envelope), owner, sealed, encode(secret) if secret else b"")


def _form(topic: str, kind: type[Event], plain: Callable[[Event], Plain]) -> EventForm:
    record = _RECORDS.get(kind)
    if record is None:
        return EventForm(topic, plain, members_of(kind), account_of, person_of)
    return EventForm(topic, plain, members_of(kind), record.account, record.person)
