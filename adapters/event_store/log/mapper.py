"""Maps events to stored bytes and back: JSON with the envelope of C-38 around the event's data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs
import msgspec
from eventsourcing import persistence

from ....application.ports.event_store import Append, Change, Recorded
from ....application.ports.snapshot import KeptEvent, Placed
from ....domain.event import Event
from ...randomness import SecretRandomness
from .converting import event_converter
from .event_types import EVENT_TYPES
from .stored_event import StoredEvent
from .upcasters import UPCASTERS, Upcaster


class UnreadableEvent(Exception):
    """This release cannot read a stored event; the text names it and its place."""


class _Envelope(msgspec.Struct):
    """The members around an event's own data."""

    id: str
    at: datetime
    request: str


class _Actor(msgspec.Struct):
    """The actor in an envelope, decoded without the rest."""

    actor: str


class EventMapper:
    """Maps events to stored events and back; refuses unknown topics and imports nothing."""

    def __init__(
        self,
        types: Mapping[tuple[str, int], type[Event]] = EVENT_TYPES,
        upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
    ) -> None:
        self._converter = event_converter(frozenset(types.values()))
        self._randomness = SecretRandomness()
        self._types = types
        self._upcasters = upcasters
        # By type of event: its topic, and the function that makes plain data of it.
        self._forms = {
            kind: (f"{name}/{schema}", self._converter.get_unstructure_hook(kind))
            for (name, schema), kind in types.items()
        }
        self._encode = msgspec.json.Encoder().encode
        self._decode = msgspec.json.Decoder().decode
        self._decode_actor = msgspec.json.Decoder(_Actor).decode
        self._decode_envelope = msgspec.json.Decoder(_Envelope).decode

    def owners_of(self, changes: Iterable[Change]) -> set[str]:  # noqa: ARG002  no event is sealed yet
        """Return the owners whose keys the vault must remember to write the events of some changes."""
        return set()

    def to_stored(
        self, append: Append, changes: Sequence[Change] | None = None
    ) -> list[StoredEvent]:
        """Return the stored form of every event of an append, or of some of its changes, in order."""
        stored = []
        for change in append.changes if changes is None else changes:
            version = change.expected_version
            for event in change.events:
                version += 1
                topic, plain = self._forms[type(event)]
                event_id = self._randomness.new_id("evt")
                state = self._state(event_id, append.actor, append.request_id, event, plain)
                stored.append(StoredEvent(change.stream, version, topic, state))
        return stored

    def to_recorded(self, stored: StoredEvent | persistence.StoredEvent, position: int) -> Recorded:
        """Return the event in a stored event, ours or the library's; raises `UnreadableEvent`."""
        try:
            name, _, schema = stored.topic.partition("/")
            envelope: dict[str, Any] = self._decode(stored.state)
            kind, data = self._upcast(name, int(schema), envelope["data"])
            return Recorded(
                position=position,
                event_id=envelope["id"],
                stream=str(stored.originator_id),
                version=stored.originator_version,
                type=name,
                schema=int(schema),
                actor=envelope["actor"],
                request_id=envelope["request"],
                event=self._converter.structure({**data, "at": envelope["at"]}, kind),
            )
        except Exception as error:
            # The message names the damaged event but never quotes its data.
            raise UnreadableEvent(
                f"Version {stored.originator_version} of {stored.originator_id}"
                f" ({stored.topic}) is not an event that this release can read."
                " Use the release that wrote it, and run `watchword audit check`."
            ) from error

    def to_actor(self, state: bytes) -> str:
        """Return the actor of a stored event; an empty text if it is damaged."""
        try:
            return self._decode_actor(state).actor
        except ValueError:
            return ""

    def to_kept(self, stored: StoredEvent, position: int) -> KeptEvent:
        """Return a stored event for an audit; one with a time without zone counts as unreadable."""
        try:
            recorded = self.to_recorded(stored, position)
        except UnreadableEvent:
            recorded = None
        event = None if recorded is None or not _has_zones(recorded.event) else recorded.event
        return KeptEvent(
            position=position,
            stream=str(stored.originator_id),
            version=stored.originator_version,
            topic=stored.topic,
            event=event,
            as_written=recorded is None or self._is_as_written(stored, recorded),
        )

    def to_placed(self, position: int, stream: str, version: int, state: bytes) -> Placed:
        """Return position and envelope of a stored event without decoding its data."""
        try:
            envelope = self._decode_envelope(state)
        except (ValueError, TypeError, RecursionError):
            return Placed(position, stream, version, None, None, None)
        at = envelope.at if envelope.at.tzinfo is not None else None
        return Placed(position, stream, version, envelope.id, at, envelope.request)

    def to_events(self, stored: Sequence[StoredEvent]) -> list[Event]:
        """Return the events of one stream."""
        return [self.to_recorded(each, 0).event for each in stored]

    def _is_as_written(self, stored: StoredEvent, recorded: Recorded) -> bool:
        """Return whether the stored bytes hold nothing that decoding ignores (D-161)."""
        envelope = (recorded.event_id, recorded.actor, recorded.request_id)
        if not all(isinstance(each, str) for each in envelope) or not recorded.actor:
            return False
        topic, plain = self._forms[type(recorded.event)]
        if stored.topic != topic:
            # An upcaster changed it: an older release wrote the bytes.
            return True
        return stored.state == self._state(*envelope, recorded.event, plain)

    def _state(
        self,
        event_id: str,
        actor: str,
        request_id: str,
        event: Event,
        plain: Callable[[Event], Any],
    ) -> bytes:
        return self._encode(
            {
                "id": event_id,
                "at": event.at,
                "actor": actor,
                "request": request_id,
                "data": plain(event),
            }
        )

    def _upcast(
        self, name: str, schema: int, data: dict[str, Any]
    ) -> tuple[type[Event], dict[str, Any]]:
        while (upcast := self._upcasters.get((name, schema))) is not None:
            data, schema = upcast(data), schema + 1
        kind = self._types.get((name, schema))
        if kind is None:
            raise LookupError(f"{name}/{schema} is not registered")
        return kind, data


def _has_zones(event: Event) -> bool:
    times = (getattr(event, each.name) for each in attrs.fields(type(event)))
    return all(each.tzinfo is not None for each in times if isinstance(each, datetime))
