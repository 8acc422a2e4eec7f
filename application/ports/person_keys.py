"""The port for the people whom a service knows: their HMACs, and the keys of new ones (C-73)."""

from __future__ import annotations

from typing import Protocol

from .event_store import PersonRecord
from .sealer import SealKey


class PersonKeys(Protocol):
    """Finds people without storing their numbers, and makes their keys."""

    def hmac(self, account_id: str, canonical: str) -> str:
        """Return the HMAC of an account and a canonical destination, under the index secret."""
        ...

    def hashed(self, kind: str, *parts: str) -> str:
        """Return the HMAC of texts under the index secret; each kind has HMACs of its own."""
        ...

    def new_person(self, account_id: str, hmac: str) -> PersonRecord:
        """Make a random id and a random key for a person whom the store does not know by this HMAC."""
        ...

    def hidden(self, key: SealKey | None) -> str | None:
        """Return the text in the place of what a key sealed; None if this node can open it."""
        ...

    def event_key(self, key: SealKey, name: str) -> bytes:
        """Return the key of one event, which opens that one alone."""
        ...
