"""Owners of events, their keys, and events that are stored for them without a store."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.lines import envelope_of
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.event_store.log.writing import EventWriter
from watchword.adapters.vault import Vault
from watchword.application.ports.sealer import SealKey
from watchword.domain.event import Event

ACCOUNT, PERSON, FRIEND, STREAM = "acc_garden", "per_rose", "per_thorn", "rcp_bed"
VAULT = Vault.random()
KEYS: Mapping[str, SealKey] = {
    each: VAULT.new_key(each) for each in (ACCOUNT, PERSON, FRIEND, STREAM)
}
VAULT.learn(KEYS.values())
_WRITER = EventWriter(VAULT, EVENT_TYPES)


def stored(
    event: Event,
    *,
    account: str | None = ACCOUNT,
    person: str | None = PERSON,
    event_id: str = "evt_1",
    writer: EventWriter = _WRITER,
    erased: Collection[str] = (),
) -> StoredEvent:
    """Return an event as it is stored for its owner, as the first of a stream."""
    envelope = envelope_of(event_id, event.at, "gardener", "req-noon", account, person)
    written = writer.written(STREAM, event, envelope, erased)
    return StoredEvent(STREAM, 1, writer.form(type(event)).topic, writer.sealed(event_id, written))


def without(*owners: str) -> Mapping[str, SealKey]:
    """Return the keys of a store that erased some owners."""
    return {name: key for name, key in KEYS.items() if name not in owners}
