"""A rotation of the code key from version 1 to version 2."""

from __future__ import annotations

from tests.vaults import KEYRING
from watchword.adapters.keyring import Keyring
from watchword.adapters.sealing import AesGcmSealer
from watchword.application.journal import Journal
from watchword.application.ports.event_store import EventStore
from watchword.application.rewrapping_keys import RewrappingKeys

NEWEST = Keyring(2, {2: b"n" * 32})
BOTH = Keyring(2, {**NEWEST.keys, **KEYRING.keys})


async def rotate(store: EventStore) -> list[tuple[int, bool]]:
    """Wrap all keys anew as a worker does; return what was told at the ends of the passes."""
    told: list[tuple[int, bool]] = []
    rewrapping = RewrappingKeys(
        Journal(store), AesGcmSealer(BOTH), 1, lambda keys, left: told.append((keys, left))
    )
    while await rewrapping.run_due():
        pass
    return told
