"""Maps events to stored events and back: three lines each, of which one is sealed (C-38, C-73)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import attrs
import msgspec

from ....application.evidence.leaves import is_blanked
from ....application.ports.event_store import Append, Change, Outline, Recorded
from ....application.ports.sealer import SealKey, is_person
from ....application.ports.snapshot import KeptEvent, Placed
from ....domain.event import MASK, Event
from ...randomness import SecretRandomness
from ...vault import Vault
from .event_types import EVENT_TYPES
from .lines import (
    Actor,
    Envelope,
    Shown,
    Whose,
    envelope_of,
    lines_of,
    open_line_of,
    owner_of,
    sealed_texts,
)
from .opening import EventReader, Opened
from .stored_event import StoredEvent
from .upcasters import UPCASTERS, Upcaster
from .writing import EventWriter, Written

Keys = Mapping[str, SealKey]


class UnreadableEvent(Exception):
    """This release cannot read a stored event; the text names it and its place."""


class PlannedEvent(NamedTuple):
    """An event of a stream before it is sealed, and the topic under which it is stored."""

    stream: str
    version: int
    topic: str
    event_id: str
    written: Written


def sealed_for(planned: Iterable[PlannedEvent]) -> set[str]:
    """Return the owners whose keys the vault must remember to seal some events."""
    return {owner for each in planned for owner in each.written.sealed}


class EventMapper:
    """
    Maps events to stored events and back; refuses unknown topics and imports nothing.

    Reading takes two steps, so that a store can read keys and events in one transaction: `owners` says
    whose keys some events need, and the other functions take those that the store still has. What no key
    opens reads as a placeholder.
    """

    def __init__(
        self,
        vault: Vault,
        types: Mapping[tuple[str, int], type[Event]] = EVENT_TYPES,
        upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
    ) -> None:
        self._randomness = SecretRandomness()
        self._writer = EventWriter(vault, types)
        self._reader = EventReader(vault, types, upcasters)
        self._types, self._upcasters = types, upcasters
        self._decode_actor = msgspec.json.Decoder(Actor).decode
        self._decode_shown = msgspec.json.Decoder(Shown).decode
        self._decode_envelope = msgspec.json.Decoder(Envelope).decode
        self._decode_whose = msgspec.json.Decoder(Whose).decode

    def planned(
        self, append: Append, changes: Sequence[Change] | None = None
    ) -> list[PlannedEvent]:
        """Return every event of an append, or of some of its changes, in order and not yet sealed."""
        planned = []
        for change in append.changes if changes is None else changes:
            stream, state, version = change.stream, change.state, change.expected_version
            for event in change.events:
                version += 1
                form = self._writer.form(type(event))
                event_id = self._randomness.new_id("evt")
                envelope = envelope_of(
                    event_id,
                    event.at,
                    append.actor,
                    append.request_id,
                    form.account(stream, state),
                    form.person(state, event),
                )
                written = self._writer.written(stream, event, envelope, append.erased)
                planned.append(PlannedEvent(stream, version, form.topic, event_id, written))
        return planned

    def to_stored(self, planned: Iterable[PlannedEvent]) -> list[StoredEvent]:
        """
        Return the stored form of planned events.

        Raises `KeyError` if the vault does not remember the key of one of `sealed_for`.
        """
        return [
            StoredEvent(stream, version, topic, self._writer.sealed(event_id, written))
            for stream, version, topic, event_id, written in planned
        ]

    def owners(self, stored: Iterable[tuple[str, bytes]]) -> set[str]:
        """
        Return the owners whose keys open what is sealed in some events; none for most.

        Of each event, its stream and its stored state.
        """
        owners: set[str] = set()
        for stream, state in stored:
            try:
                lines = lines_of(state)
                if lines.sealed and not is_blanked(lines.sealed):
                    whose = self._decode_whose(lines.open)
                    owner = owner_of(stream, whose.account, whose.person)
                    owners.update(sealed_texts(lines.sealed, owner))
            except (ValueError, RecursionError):
                # Reading says so of a damaged event.
                continue
        return owners

    def to_recorded(self, stored: StoredEvent, position: int, keys: Keys) -> Recorded:
        """Return the event in a stored event, and its place; raises `UnreadableEvent`."""
        return self._recorded(stored, position, self._opened(stored, keys))

    def to_events(self, stored: Sequence[StoredEvent], keys: Keys) -> list[Event]:
        """Return the events of one stream."""
        return [self._opened(each, keys).event for each in stored]

    def to_actor(self, state: bytes) -> str:
        """Return the actor of a stored event; an empty text if it is damaged."""
        try:
            return self._decode_actor(open_line_of(state)).actor
        except (ValueError, RecursionError):
            return ""

    def topics(self, kinds: Collection[str]) -> list[str]:
        """Return the topics of events of some kinds, in all their forms."""
        forms = {*self._types, *self._upcasters}
        return [f"{name}/{schema}" for name, schema in sorted(forms) if name in kinds]

    def to_outline(self, stored: StoredEvent, position: int) -> Outline:
        """Return the open line of an event, in its newest form; raises `UnreadableEvent`."""
        name, _, schema = stored.topic.partition("/")
        try:
            line = self._decode_shown(open_line_of(bytes(stored.state)))
            data, number = line.data, int(schema)
            while (upcast := self._upcasters.get((name, number))) is not None:
                data, number = upcast(data), number + 1
        except Exception as error:
            raise _unreadable(stored) from error
        return Outline(
            position,
            str(stored.originator_id),
            stored.originator_version,
            name,
            line.at,
            line.account,
            data,
        )

    def to_kept(self, stored: StoredEvent, position: int, keys: Keys) -> KeptEvent:
        """Return a stored event for an audit; one with a time without zone counts as unreadable."""
        try:
            opened = self._opened(stored, keys)
        except UnreadableEvent:
            opened = None
        return KeptEvent(
            position=position,
            stream=str(stored.originator_id),
            version=stored.originator_version,
            topic=stored.topic,
            event=None if opened is None or not _has_zones(opened.event) else opened.event,
            as_written=opened is None or self._is_as_written(stored, opened, keys),
            account=None if opened is None else opened.line.account,
            people=() if opened is None else _people(opened),
            owners=() if opened is None else _accounts(opened),
            blanked=opened is not None and opened.blanked,
        )

    def to_placed(self, position: int, stream: str, version: int, state: bytes) -> Placed:
        """Return position and envelope of a stored event without decoding its data."""
        try:
            envelope = self._decode_envelope(open_line_of(state))
        except (ValueError, TypeError, RecursionError):
            return Placed(position, stream, version, None, None, None)
        at = envelope.at if envelope.at.tzinfo is not None else None
        return Placed(position, stream, version, envelope.id, at, envelope.request)

    def _opened(self, stored: StoredEvent, keys: Keys, hidden_as: str | None = None) -> Opened:
        try:
            name, _, schema = stored.topic.partition("/")
            stream = str(stored.originator_id)
            return self._reader.opened(stream, name, int(schema), stored.state, keys, hidden_as)
        except Exception as error:
            raise _unreadable(stored) from error

    def _recorded(self, stored: StoredEvent, position: int, opened: Opened) -> Recorded:
        name, _, schema = stored.topic.partition("/")
        line = opened.line
        return Recorded(
            position=position,
            event_id=line.id,
            stream=str(stored.originator_id),
            version=stored.originator_version,
            type=name,
            schema=int(schema),
            actor=line.actor,
            request_id=line.request,
            account=line.account,
            person=line.person,
            event=opened.event,
        )

    def _is_as_written(self, stored: StoredEvent, opened: Opened, keys: Keys) -> bool:
        """Return whether the lines hold nothing that reading ignores (D-161)."""
        if opened.blanked or None in opened.texts.values():
            # What is sealed must not look like what was left out of the event (D-357).
            opened = self._opened(stored, keys, hidden_as=MASK)
        event, line = opened.event, opened.line
        if not line.actor or "" in (line.account, line.person):
            return False
        if stored.topic != self._writer.form(type(event)).topic:
            # An upcaster changed it: an older release wrote the bytes.
            return True
        again = self._writer.written(
            str(stored.originator_id),
            event,
            envelope_of(line.id, event.at, line.actor, line.request, line.account, line.person),
        )
        same = (again.open, again.secret) == (opened.lines.open, opened.lines.secret)
        return same and self._is_sealed_as_written(again, opened)

    def _is_sealed_as_written(self, again: Written, opened: Opened) -> bool:
        """Compare what was sealed. Nobody can judge a text that no key opens, or that was blanked."""
        if opened.blanked:
            return bool(again.sealed)
        if [*again.sealed] != [*opened.texts]:
            return False
        return all(
            text is None or text == self._writer.encode(again.sealed[owner])
            for owner, text in opened.texts.items()
        )


def _unreadable(stored: StoredEvent) -> UnreadableEvent:
    # The message names the damaged event but never quotes its data.
    return UnreadableEvent(
        f"Version {stored.originator_version} of {stored.originator_id}"
        f" ({stored.topic}) is not an event that this release can read."
        " Use the release that wrote it, and run `watchword audit check`."
    )


def _people(opened: Opened) -> tuple[str, ...]:
    """Return the people whom an event names: its own, and those for whom parts of it are sealed."""
    people = set(filter(is_person, opened.texts))
    if opened.line.person is not None:
        people.add(opened.line.person)
    return tuple(sorted(people))


def _accounts(opened: Opened) -> tuple[str, ...]:
    """Return the account for whom parts of an event are sealed, if there are such parts."""
    return tuple(each for each in opened.texts if each == opened.line.account)


def _has_zones(event: Event) -> bool:
    times = (getattr(event, each.name) for each in attrs.fields(type(event)))
    return all(each.tzinfo is not None for each in times if isinstance(each, datetime))
