"""Writes events into their stored form of three lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from ....application.ports.event_store import Change
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


_NOTHING_HIDDEN = b"\n\n"


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

    def owners_of(self, changes: Iterable[Change]) -> set[str]:
        """Return the owners of what is personal in the events of some changes."""
        return set(self._owners_of(changes))

    def _owners_of(self, changes: Iterable[Change]) -> Iterator[str]:
        for change in changes:
            for event in change.events:
                _, _, members, account, person = self._forms[type(event)]
                if members is not None:
                    state = change.state
                    of_account = account(change.stream, state)
                    owner = owner_of(change.stream, of_account, person(state, event))
                    yield from members.owners(event, owner)

    def state(
        self, stream: str, event: Event, envelope: Plain, erased: Collection[str] = ()
    ) -> bytes:
        """
        Return an event of a stream in its stored form, in the envelope that `envelope_of` returned.

        What belongs to `erased` owners is left out, and reads as erased. Raises `KeyError` if the vault
        does not remember the key of another owner.
        """
        form = self._forms[type(event)]
        if form.members is None:
            envelope["data"] = form.plain(event)
            return self.encode(envelope) + _NOTHING_HIDDEN
        written = self.written(stream, event, envelope, erased)
        event_id = envelope["id"]
        sealed = {
            owner: self._vault.seal(owner, event_id, self.encode(members))
            for owner, members in written.sealed.items()
        }
        return b"\n".join((written.open, sealed_line(sealed, written.owner), written.secret))

    def written(
        self, stream: str, event: Event, envelope: Plain, erased: Collection[str] = ()
    ) -> Written:
        """Return an event as it is written, before it is sealed."""
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
