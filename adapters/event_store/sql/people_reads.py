"""Reads people and the keys that the code key wraps from a SQL store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ....application.ports.event_store import PersonRecord
from ....application.ports.sealer import SealKey
from ..batch.packed_append import PERSON, person_record
from .dialect import SqlDialect

# Each goes along an index in the order of names.
KEYS_UNDER = (
    "SELECT person, key_version, wrapped_key FROM people"
    " WHERE key_version = ? AND person > ? ORDER BY person LIMIT ?",
    "SELECT name, version, wrapped FROM seal_keys"
    " WHERE version = ? AND name > ? ORDER BY name LIMIT ?",
)
ANY_UNDER = (
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM seal_keys WHERE version = ?)"
    " OR EXISTS (SELECT 1 FROM people WHERE key_version = ?)"
)


class PeopleReads(ABC):
    """Reads the tables `people` and `seal_keys`."""

    _dialect: SqlDialect

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs, by HMAC."""
        return {each.hmac: each for each in await self._people_by("hmac", hmacs)}

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these ids, by id."""
        return {each.person_id: each for each in await self._people_by("person", person_ids)}

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        rows = await self._select(
            "SELECT name, version, wrapped FROM seal_keys WHERE name = ?", (name,)
        )
        return SealKey(*rows[0]) if rows else None

    async def keys_under(self, version: int, limit: int, after: str = "") -> Sequence[SealKey]:
        """Return keys of people and seal keys that a version of the code key wraps, by name."""
        found = [
            SealKey(*row)
            for statement in KEYS_UNDER
            for row in await self._select(statement, (version, after, limit))
        ]
        return sorted(found, key=lambda key: key.name)[:limit]

    async def seals_under(self, version: int) -> bool:
        """Return whether a version of the code key wraps any key."""
        return bool(await self._select(ANY_UNDER, (version, version)))

    async def _people_by(self, column: str, values: Collection[str]) -> list[PersonRecord]:
        statement = f"{PERSON} WHERE {column} IN ({self._dialect.items})"
        rows = await self._select(statement, (self._dialect.pack(values),)) if values else ()
        return [person_record(row) for row in rows]

    @abstractmethod
    async def _select(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        """Run a statement on a reader thread; return its rows."""
